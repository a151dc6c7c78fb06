const COLUMNS = 10;
const SIDE_MAX = 30;

/** How a number of changemakers becomes a cloth: its size, and how many people a square stands for. */
export type MemberCloth = {
  readonly side: number;
  readonly woven: number;
  /** How many people one square stands for: 1, 10, 100 … */
  readonly unit: number;
  /** The number of people that the whole cloth stands for. */
  readonly target: number;
};

/** 64 of the first 100; a full cloth becomes a larger one, and past 900 squares each stands for ten. */
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
