// Property tests explore: another seed each time on a developer's machine. What decides whether a change
// lands must say the same of the same change, so CI takes one seed; INSTAR_SEED chooses another, or repeats a
// run that failed.
import process from 'node:process';
import fc from 'fast-check';

const chosen = process.env.INSTAR_SEED ?? (process.env.CI === 'true' ? '20261115' : undefined);
if (chosen !== undefined) fc.configureGlobal({ seed: Number(chosen) });
