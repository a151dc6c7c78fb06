const SIDE_MIN = 10;
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

/**
 * A full cloth grows by a row and a column, so that it is always dense and always has a square to
 * spare; beyond 900 squares each square stands for ten times as many people.
 */
export function memberCloth(count: number): MemberCloth {
  let unit = 1;
  while (Math.floor(count / unit) >= SIDE_MAX * SIDE_MAX) unit *= 10;
  const woven = Math.floor(count / unit);
  const side = Math.max(SIDE_MIN, Math.floor(Math.sqrt(woven)) + 1);
  return { side, woven, unit, target: side * side * unit };
}
