// The outcome for each object of a migration, and the counts.

export type MigrationOutcome =
  /** Written again, in the storage version. */
  | {
      readonly kind: 'rewritten';
      readonly from?: string;
      readonly repaired?: readonly string[];
      readonly changes?: readonly string[];
    }
  /** Stored in the storage version already: nothing was done. */
  | { readonly kind: 'current' }
  /** A concurrent write did what we were about to do. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly from?: string; readonly reason: string };

export interface Counts {
  rewritten: number;
  current: number;
  overtaken: number;
  gone: number;
  failed: number;
  /** Of those rewritten: how many had managedFields that name a dead version. */
  repaired: number;
}

export const noCounts = (): Counts => ({
  rewritten: 0,
  current: 0,
  overtaken: 0,
  gone: 0,
  failed: 0,
  repaired: 0,
});

export function count(counts: Counts, outcome: MigrationOutcome): void {
  counts[outcome.kind]++;
  if (outcome.kind === 'rewritten' && (outcome.repaired?.length ?? 0) > 0) counts.repaired++;
}

/** The number of objects of all outcomes. */
export const totalOf = ({ rewritten, current, overtaken, gone, failed }: Counts): number =>
  rewritten + current + overtaken + gone + failed;

/** One line of the report. */
export type ReportEntry = { readonly namespace?: string; readonly name: string } & MigrationOutcome;
