// All laws, in the order in which they are checked: what fails early explains what fails later.
import type { Law } from '../law.ts';
import { converts } from './converts.ts';
import { determinism } from './determinism.ts';
import { edit } from './edit.ts';
import { inputUntouched } from './input-untouched.ts';
import { metadata } from './metadata.ts';
import { order } from './order.ts';
import { roundTrip } from './round-trip.ts';
import { sameVersion } from './same-version.ts';
import { validOutput } from './valid-output.ts';

/** All laws, in the order in which they are checked. */
export const LAWS: readonly Law[] = [
  converts,
  order,
  inputUntouched,
  metadata,
  validOutput,
  sameVersion,
  determinism,
  roundTrip,
  edit,
];
