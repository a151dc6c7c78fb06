import { useToken } from "@/lib/session/session";
import { DeviceRows } from "./device-rows";
import { PasskeyRows } from "./passkey-rows";

/** How the member signs in, and where; loaded after the rest of the account. */
export function SecurityRows() {
  // A new password ends the token, the other sessions and the passkeys: the lists load again.
  const token = useToken() ?? "";
  return (
    <>
      <PasskeyRows key={`passkeys ${token}`} />
      <DeviceRows key={`devices ${token}`} />
    </>
  );
}
