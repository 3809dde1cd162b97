// What became of one object: its form, or why there is none.
import type { ConversionFailure } from '@instar/convert';

export type FormOutcome = Uint8Array | ConversionFailure;
