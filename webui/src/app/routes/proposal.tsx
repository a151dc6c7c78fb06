import { useParams } from "react-router-dom";
import { ProposalScreen } from "../proposal-screen";

export function ProposalPage() {
  const { slug = "" } = useParams();
  return <ProposalScreen slug={slug} />;
}
