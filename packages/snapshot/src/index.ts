// KEP-1900, the tightening of volume snapshots: the rules, the webhook, the labeller, and the phase a cluster
// is in.

export { type HealthServer, serveHealth } from './labeller/health-server.ts';
export { Labeller, type LabellerOptions } from './labeller/labeller.ts';
export { type LabellerRecord, readRecord, recordOf } from './labeller/record.ts';
export { LABELLER_NAME } from './labeller/resource-labeller.ts';
export type { ClusterFacts } from './phase/cluster-facts.ts';
export type { FindingLevel, Phase, PhaseFinding } from './phase/finding.ts';
export { type Paint, printReport } from './phase/print-report.ts';
export { type ReadFactsOptions, readClusterFacts } from './phase/read-facts.ts';
export { type PhaseReport, phaseOf, phaseReport } from './phase/report.ts';
export {
  CONTENTS,
  crdName,
  SNAPSHOT_GROUP,
  SNAPSHOT_RESOURCES,
  SNAPSHOT_VERSIONS,
  SNAPSHOTS,
  type SnapshotResource,
} from './resources.ts';
export { servedVersion } from './served-version.ts';
export { validateContent } from './validate/content.ts';
export { validateSnapshot } from './validate/snapshot.ts';
export { admitSnapshot, snapshotWebhooks } from './webhook/snapshot-webhook.ts';
