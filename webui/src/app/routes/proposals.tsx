import { ProposalScreen } from "../proposal-screen";

export function ProposalsPage() {
  return <ProposalScreen slug={null} />;
}
