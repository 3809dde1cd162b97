// Reads the facts about a cluster, judges them and prints the report.
import { type FindingLevel, phaseReport, printReport, readClusterFacts } from '@instar/snapshot';
import colors from 'picocolors';
import { type ClusterFlags, openCluster } from '../cluster-flags.ts';
import { run } from '../exit-with-message.ts';
import type { NamespacedName } from './namespaced-name.ts';

export interface PhaseFlags extends ClusterFlags {
  readonly labeller: NamespacedName;
  readonly wait: number;
  readonly probeNamespace?: string;
  readonly output: 'text' | 'json';
  readonly check?: boolean;
}

const PAINTS: Readonly<Record<FindingLevel, (text: string) => string>> = {
  ok: colors.green,
  caution: colors.yellow,
  wait: colors.yellow,
  blocked: colors.red,
};

export function phase(flags: PhaseFlags): Promise<void> {
  return run(async () => {
    const api = await openCluster(flags, 'instar-snapshot-phase');
    try {
      const facts = await readClusterFacts(api, {
        labeller: flags.labeller,
        probeNamespace: flags.probeNamespace ?? api.namespace,
      });
      const report = phaseReport(facts, { waitMs: flags.wait });
      const paint = process.stdout.isTTY
        ? (level: FindingLevel, text: string) => PAINTS[level](text)
        : undefined;
      process.stdout.write(
        flags.output === 'json'
          ? `${JSON.stringify({ ...report, facts }, undefined, 2)}\n`
          : printReport(report, paint),
      );
      return flags.check && !report.safe ? 1 : 0;
    } finally {
      await api.close();
    }
  });
}
