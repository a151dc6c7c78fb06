import { Button } from "@/components/button/button";
import { Select, type Option } from "@/components/field/select";
import joiningTexts from "@/messages/en/joining.json";
import { translator } from "@/lib/text/messages";
import { useResource } from "@/lib/api/resource";
import { countryList } from "./api";

const t = translator(joiningTexts);

/** All countries in the server's order (spec §3). An earlier choice stays while they load. */
export function CountryField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (country: string) => void;
}) {
  const state = useResource(countryList);
  const names = state.data?.map((country) => country.name) ?? (value === "" ? [] : [value]);
  const options = names.map((name): Option => ({ value: name, label: name }));
  return (
    <div>
      <Select
        autoComplete="country-name"
        error={state.status === "error" ? t("country.failed") : null}
        label={t("country")}
        name="country"
        onChange={(event) => onChange(event.target.value)}
        options={options}
        placeholder={state.status === "loading" ? t("country.loading") : t("country.choose")}
        value={value}
      />
      {state.status === "error" ? (
        <Button icon="retry" kind="quiet" onClick={state.reload} size="sm">
          {t("country.retry")}
        </Button>
      ) : null}
    </div>
  );
}
