import { useEffect, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/button/button";
import votingTexts from "@/messages/en/voting.json";
import { LOCALE } from "@/lib/text/formatters";
import { translator } from "@/lib/text/messages";

const t = translator(votingTexts);

/** Reads a text aloud; hidden if the browser lacks speech synthesis. */
export function ListenButton({
  text,
  lang = LOCALE,
}: {
  readonly text: () => string;
  readonly lang?: string | undefined;
}) {
  const canSpeak = useSyncExternalStore(never, hasSpeech, () => false);
  const [speaking, setSpeaking] = useState(false);
  useEffect(() => {
    if (speaking) return () => window.speechSynthesis.cancel();
    return;
  }, [speaking]);
  if (!canSpeak) return null;
  const start = () => {
    const speech = new SpeechSynthesisUtterance(text());
    speech.lang = lang;
    speech.addEventListener("end", () => setSpeaking(false));
    speech.addEventListener("error", () => setSpeaking(false));
    window.speechSynthesis.cancel();
    window.speechSynthesis.speak(speech);
    setSpeaking(true);
  };
  return (
    <Button
      aria-pressed={speaking}
      icon={speaking ? "close" : "listen"}
      kind="line"
      onClick={speaking ? () => setSpeaking(false) : start}
      size="sm"
    >
      {t(speaking ? "listen.stop" : "listen")}
    </Button>
  );
}

const never = () => () => undefined;
const hasSpeech = () => "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;
