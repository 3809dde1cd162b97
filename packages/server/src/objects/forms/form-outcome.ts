// The outcome for one object: its form, or why it could not be made.
import type { ConversionFailure } from '@instar/convert';

export type FormOutcome = Uint8Array | ConversionFailure;
