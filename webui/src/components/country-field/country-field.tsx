import type { Country } from "@/api/schema";
import { Button } from "@/components/button/button";
import { Select, type Option } from "@/components/field/select";
import joiningTexts from "@/messages/en/joining.json";
import { countryName } from "@/lib/text/format";
import { LOCALE } from "@/lib/text/formatters";
import { LANGUAGE, translator } from "@/lib/text/messages";
import { useResource } from "@/lib/api/resource";

const t = translator(joiningTexts);

/** All countries, in English in the server's order (spec §3), else sorted by their names. An earlier choice stays while they load. */
export function CountryField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (country: string) => void;
}) {
  const state = useResource("/countries");
  const known = state.data?.map(optionOf).toSorted(inOrder);
  const options = known ?? (value === "" ? [] : [{ value, label: value }]);
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

/** A country that is kept by its English name, as the reader's language writes it; nothing until that is known. */
export function useCountryLabel(name: string): string {
  const { data, status } = useResource("/countries", LANGUAGE !== "en");
  if (LANGUAGE === "en") return name;
  const country = data?.find((one) => one.name === name);
  return country === undefined ? (status === "loading" ? "" : name) : optionOf(country).label;
}

function optionOf({ name, isoCode }: Country): Option {
  return { value: name, label: LANGUAGE === "en" ? name : countryName(isoCode) };
}

function inOrder(one: Option, other: Option): number {
  return LANGUAGE === "en" ? 0 : one.label.localeCompare(other.label, LOCALE);
}
