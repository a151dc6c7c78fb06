import { DeviceRows } from "./device-rows";
import { PasskeyRows } from "./passkey-rows";

/** How the member signs in, and where; loaded after the rest of the account. */
export function SecurityRows() {
  return (
    <>
      <PasskeyRows />
      <DeviceRows />
    </>
  );
}
