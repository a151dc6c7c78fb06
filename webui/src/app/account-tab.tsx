import { AccountTab } from "@/features/account/account-tab";
import { PledgePlan } from "@/features/pledge/pledge-plan";

/** The account tab of the dashboard, in a chunk of its own. */
export function AccountPanel() {
  return (
    <AccountTab>
      <PledgePlan />
    </AccountTab>
  );
}
