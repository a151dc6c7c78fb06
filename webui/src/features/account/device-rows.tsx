import type { DeviceLine } from "@/api/schema";
import { Button } from "@/components/button/button";
import { ResourceView } from "@/components/resource-view/resource-view";
import { Skeleton } from "@/components/skeleton/skeleton";
import { SettingsCard, SettingsRow } from "@/components/settings/settings";
import securityTexts from "@/messages/en/security.json";
import { apiSend } from "@/lib/api/api-client";
import { useResource } from "@/lib/api/resource";
import { useMemberAction } from "@/lib/member/use-member-action";
import { useToday } from "@/lib/ui/use-today";
import { formatDate } from "@/lib/text/format";
import { translator } from "@/lib/text/messages";

const t = translator(securityTexts);

/** Where the member is signed in, with the last day of use. */
export function DeviceRows() {
  const known = useResource("/user/sessions");
  return (
    <SettingsCard title={t("devices")}>
      <ResourceView skeleton={<Skeleton />} state={known} what={t("devices.error")}>
        {(list) =>
          list.map((device, place) => (
            <DeviceRow
              device={device}
              first={place === 0}
              key={device.id}
              onEnded={known.reload}
            />
          ))
        }
      </ResourceView>
    </SettingsCard>
  );
}

function DeviceRow({
  device,
  first,
  onEnded,
}: {
  readonly device: DeviceLine;
  readonly first: boolean;
  readonly onEnded: () => void;
}) {
  const { busy, run } = useMemberAction();
  const today = useToday();
  const signOut = async () => {
    if (await run(() => apiSend(`DELETE /user/sessions/${encodeURIComponent(device.id)}`, undefined))) onEnded();
  };
  const day = formatDate(device.lastUsedOn, today);
  return (
    <SettingsRow
      first={first}
      text={device.current ? t("devices.here") : t("devices.used", { day })}
      title={nameOf(device.device)}
    >
      {device.current ? null : (
        <Button
          busy={busy ? t("devices.ending") : false}
          kind="line"
          onClick={() => void signOut()}
          size="sm"
        >
          {t("devices.end")}
        </Button>
      )}
    </SettingsRow>
  );
}

/** The device in words; the server stores `Chrome on Linux`, or that it knows neither. */
function nameOf(device: string): string {
  const [browser, system] = device.split(" on ");
  if (browser !== undefined && system !== undefined) return t("devices.name", { browser, system });
  return device === "Unknown device" ? t("devices.unknown") : device;
}
