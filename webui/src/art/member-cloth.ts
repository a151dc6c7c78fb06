const COLUMNS = 10;
const SIDE_MAX = 30;

/** A cloth that represents a number of changemakers. */
export type MemberCloth = {
  readonly side: number;
  readonly woven: number;
  /** How many people one square stands for: 1, 10, 100 … */
  readonly unit: number;
  /** The number of people that the whole cloth stands for. */
  readonly target: number;
};

/** A full cloth is replaced by a larger one; beyond 900 squares each square stands for ten times as many. */
export function memberCloth(count: number): MemberCloth {
  let unit = 1;
  let side = COLUMNS;
  while (side * side * unit <= count) {
    side += COLUMNS;
    if (side > SIDE_MAX) {
      unit *= 10;
      side = COLUMNS;
    }
  }
  return { side, woven: Math.floor(count / unit), unit, target: side * side * unit };
}
