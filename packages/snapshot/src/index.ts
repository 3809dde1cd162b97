// Volume snapshots tightened as KEP-1900 tells it: the rules, the webhook, the labeller, and in which phase a cluster is.
export { CONTENTS, crdName, SNAPSHOT_GROUP, SNAPSHOT_RESOURCES, SNAPSHOT_VERSIONS, SNAPSHOTS, type SnapshotResource } from './resources.ts';
export { validateContent } from './validate/content.ts';
export { validateSnapshot } from './validate/snapshot.ts';
export { admitSnapshot, snapshotWebhooks } from './webhook/snapshot-webhook.ts';
