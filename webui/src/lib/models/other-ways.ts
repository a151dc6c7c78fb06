/** The ways to pay beside the card; the operators set them up. */
export const OTHER_WAYS = ["transfer", "cash", "mobile"] as const;
export type OtherWay = (typeof OTHER_WAYS)[number];
