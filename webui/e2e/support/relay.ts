import { once } from "node:events";
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

// Scripts of the build are named by their content.
const NAME = /(-[\w-]{8})\.js/g;

/**
 * Stands between browser and server, where a test makes it silent or deploys another build: what a
 * service worker asks for passes by the routes of a page.
 */
export class Relay {
  readonly #server: Server;
  readonly #target: URL;
  /** Accepts connections and never answers. */
  isSilent = false;
  /** Whether requests for pages get answers. */
  hasPages = true;
  /** Whether all scripts have other names than before, as after a redeploy. */
  isNewBuild = false;
  /** Whether the scripts can be loaded. */
  hasScripts = true;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((req, resp) => {
      const isPage = req.headers.accept?.startsWith("text/html") === true;
      if (!this.isSilent && (this.hasPages || !isPage)) void this.#pass(req, resp);
    });
  }

  static async before(target: string): Promise<Relay> {
    const relay = new Relay(target);
    relay.#server.listen(0, "127.0.0.1");
    await once(relay.#server, "listening");
    return relay;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(req: IncomingMessage, resp: ServerResponse): Promise<void> {
    const path = req.url ?? "/";
    const isScript = path.startsWith("/assets/") && path.endsWith(".js");
    const isNew = path.endsWith("v2.js");
    // A redeploy takes the scripts of before away.
    if (isScript && (!this.hasScripts || isNew !== this.isNewBuild)) {
      resp.writeHead(404).end();
      return;
    }
    const answer = await this.#ask(req, path.replace(/v2\.js$/, ".js"));
    const body = await buffer(answer);
    const isPage = answer.headers["content-type"]?.startsWith("text/html") === true;
    const { etag: _, "content-length": __, ...headers } = answer.headers;
    resp.writeHead(answer.statusCode ?? 502, headers);
    const isRenamed = this.isNewBuild && (isPage || isScript);
    resp.end(isRenamed ? body.toString().replaceAll(NAME, "$1v2.js") : body);
  }

  async #ask(req: IncomingMessage, path: string): Promise<IncomingMessage> {
    const headers: IncomingHttpHeaders = { ...req.headers, "accept-encoding": "identity" };
    delete headers["if-none-match"];
    const { hostname, port } = this.#target;
    const asked = request({ hostname, port, path, method: req.method, headers });
    req.pipe(asked);
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    return answer;
  }
}
