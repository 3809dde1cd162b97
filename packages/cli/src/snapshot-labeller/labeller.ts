// Runs the labeling controller until a signal; then it releases its lease, so that another one can take over
// immediately.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { addProcessMetrics, inUrl, MetricsRegistry } from '@instar/serving';
import { Labeller, serveHealth } from '@instar/snapshot';
import { type ClusterFlags, openCluster } from '../cluster-flags.ts';
import { run } from '../exit-with-message.ts';
import type { LogFlags } from '../snapshot/log-flags.ts';
import { openLog } from '../snapshot/open-log.ts';
import { untilSignal } from '../snapshot/until-signal.ts';
import { cannotStart } from '../webhook/cannot-start.ts';

export interface SnapshotLabellerFlags extends ClusterFlags, LogFlags {
  readonly namespace?: string;
  readonly name: string;
  readonly identity?: string;
  readonly resync: number;
  readonly leaseDuration: number;
  readonly healthPort: number;
  readonly healthAddress?: string;
}

export function snapshotLabeller(flags: SnapshotLabellerFlags): Promise<void> {
  return run(async () => {
    const log = openLog(flags);
    const { signal } = untilSignal();
    const client = await openCluster(flags, 'instar-snapshot-labeller');
    const metrics = new MetricsRegistry();
    const processMetrics = addProcessMetrics(metrics);
    const { healthAddress: host, healthPort: port } = flags;
    const health = await serveHealth({ port, ...(host !== undefined && { host }) }, metrics).catch(
      cannotStart(flags, { port: '--health-port', address: '--health-address' }),
    );
    process.stdout.write(`ready http://${inUrl(host ?? '127.0.0.1')}:${health.port}\n`);
    const labeller = new Labeller(client, {
      namespace: flags.namespace ?? client.namespace,
      name: flags.name,
      identity: flags.identity ?? `${hostname()}_${randomBytes(4).toString('hex')}`,
      resyncMs: flags.resync,
      election: electionOf(flags.leaseDuration),
      log,
      metrics,
    });
    await labeller.run(signal);
    await health.close();
    processMetrics.stop();
    await client.close();
    return 0;
  });
}

/** In client-go's proportions: 15 s, 10 s, 2 s. */
function electionOf(leaseDurationMs: number) {
  return {
    leaseDurationMs,
    renewDeadlineMs: (leaseDurationMs * 2) / 3,
    retryPeriodMs: (leaseDurationMs * 2) / 15,
  };
}
