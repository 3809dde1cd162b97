// KEP-1900, the tightening of volume snapshots: the rules, the webhook, the labeller, and the phase a cluster
// is in.
export { serveHealth } from './labeller/health-server.ts';
export { Labeller } from './labeller/labeller.ts';
export type { FindingLevel } from './phase/finding.ts';
export { printReport } from './phase/print-report.ts';
export { readClusterFacts } from './phase/read-facts.ts';
export { phaseReport } from './phase/report.ts';
export { snapshotWebhooks } from './webhook/snapshot-webhook.ts';
