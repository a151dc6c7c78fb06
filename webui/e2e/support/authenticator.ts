import type { Visit } from "./visit.ts";

/** Gives the browser an authenticator that confirms whatever it is asked. */
export async function plugInAuthenticator(visit: Visit): Promise<void> {
  const devtools = await visit.page.context().newCDPSession(visit.page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
