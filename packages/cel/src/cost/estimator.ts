// placeholder
import type { Checked } from '../check/checked.ts';
import { type CostEstimate, unknownRange } from './range.ts';
export function estimateCost(_checked: Checked): CostEstimate {
  return unknownRange;
}
