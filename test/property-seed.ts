// Property tests use a new seed in each run on a developer's machine. CI must give the same result for the
// same change, so it uses a fixed seed; INSTAR_SEED sets another, or repeats a failed run.
import process from 'node:process';
import fc from 'fast-check';

const chosen = process.env.INSTAR_SEED ?? (process.env.CI === 'true' ? '20261115' : undefined);
if (chosen !== undefined) fc.configureGlobal({ seed: Number(chosen) });
