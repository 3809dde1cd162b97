// What the facts say, one finding each. The texts are for the operators of the cluster; each says what to do.
import { crdName, SNAPSHOT_RESOURCES } from '../resources.ts';
import type { ClusterFacts, LabellerFacts, ObjectFacts, WebhookFacts } from './cluster-facts.ts';
import type { Phase, PhaseFinding } from './finding.ts';
import { printDuration } from './print-duration.ts';

export function objectFindings({ objects }: ClusterFacts, phase: Phase): PhaseFinding[] {
  return objects.map((facts) =>
    facts.invalid + facts.labeled === 0 ? allValid(facts) : someInvalid(facts, phase),
  );
}

const plural = (kind: string, count: number): string => `${count} ${kind}${count === 1 ? '' : 's'}`;

const allValid = ({ kind, total }: ObjectFacts): PhaseFinding => ({
  level: 'ok',
  text:
    total === 0 ? `no ${kind}s` : `${plural(kind, total)}, ${total === 1 ? 'and it is valid' : 'all valid'}`,
});

function someInvalid({ kind, total, invalid, labeled, examples }: ObjectFacts, phase: Phase): PhaseFinding {
  const text = `${invalid} of ${plural(kind, total)} ${invalid === 1 ? 'is' : 'are'} invalid, ${labeled} labeled`;
  if (invalid === 0)
    return { level: 'wait', text, todo: 'the labeller removes the label; check again in a minute' };
  const { invalidLabel, resource } = SNAPSHOT_RESOURCES.find((one) => one.kind === kind)!;
  const all = kind === 'VolumeSnapshot' ? ' --all-namespaces' : '';
  const fix = `correct or delete them: kubectl get ${resource}${all} -l ${invalidLabel}`;
  const back =
    phase === 2
      ? '; if they cannot be changed, go back to phase 1 first (apply its definitions), then try again'
      : '';
  return { level: 'blocked', text, todo: fix + back, examples };
}

export function webhookFindings({ webhooks, probe }: ClusterFacts, phase: Phase): PhaseFinding[] {
  if (webhooks.length === 0)
    return [
      {
        level: phase === 0 ? 'ok' : 'blocked',
        text: 'no webhook is called for snapshots',
        todo: 'install the webhook and the labeller',
      },
    ];
  return [
    ...webhooks.flatMap((webhook) => configurationFindings(webhook)),
    ...coverageFindings(webhooks),
    probeFinding(probe, phase),
  ];
}

function configurationFindings({
  configuration,
  webhook,
  failurePolicy,
  timeoutSeconds,
  hasCaBundle,
}: WebhookFacts): PhaseFinding[] {
  const name = configuration === webhook ? configuration : `${configuration} (${webhook})`;
  const text = `webhook ${name}: failurePolicy ${failurePolicy}, timeoutSeconds ${timeoutSeconds}`;
  const policy: PhaseFinding =
    failurePolicy === 'Fail'
      ? { level: 'ok', text }
      : {
          level: 'caution',
          text,
          todo: 'while it is unreachable, invalid objects get in: set failurePolicy to Fail once it has proved itself',
        };
  if (hasCaBundle) return [policy];
  return [
    policy,
    {
      level: 'caution',
      text: `webhook ${name} has no caBundle`,
      todo: 'it is trusted only if its certificate is one that the API server trusts anyway',
    },
  ];
}

function coverageFindings(webhooks: readonly WebhookFacts[]): PhaseFinding[] {
  const covered = new Set(webhooks.flatMap(({ covers }) => covers));
  const missing = SNAPSHOT_RESOURCES.flatMap(({ resource }) =>
    ['v1beta1', 'v1'].map((version) => `${resource} ${version}`),
  ).filter((one) => !covered.has(one));
  if (missing.length === 0) return [];
  return [
    {
      level: 'blocked',
      text: `no webhook is called for ${missing.join(', ')}`,
      todo: 'add them to the rules of its configuration',
    },
  ];
}

function probeFinding({ outcome, message }: ClusterFacts['probe'], phase: Phase): PhaseFinding {
  switch (outcome) {
    case 'refused':
      return { level: 'ok', text: 'an invalid snapshot, tried in a dry run, was refused' };
    case 'accepted':
      return {
        level: 'blocked',
        text: 'an invalid snapshot, tried in a dry run, was not refused: the webhook is unreachable, or is not called',
        todo: 'check its pods, its Service and its caBundle; with failurePolicy Ignore the API server does not complain',
      };
    case 'unknown':
      return {
        level: phase === 3 ? 'ok' : 'caution',
        text: `whether the webhook works is not known: ${message}`,
      };
  }
}

export function labellerFindings({ labeller, now }: ClusterFacts, waitMs: number): PhaseFinding[] {
  if (labeller === undefined)
    return [
      {
        level: 'blocked',
        text: 'no labeller has ever run here',
        todo: 'run instar snapshot-labeller, or name where it keeps its lease',
      },
    ];
  return [presence(labeller, now), ...cleanliness(labeller, now, waitMs)];
}

function presence({ leader, renewedAt, leaseSeconds }: LabellerFacts, now: number): PhaseFinding {
  const alive = leader !== '' && renewedAt !== undefined && now - renewedAt < leaseSeconds * 2000;
  if (alive) return { level: 'ok', text: `the labeller runs (${leader})` };
  const since = renewedAt === undefined ? '' : `; it was last seen ${printDuration(now - renewedAt)} ago`;
  return {
    level: 'blocked',
    text: `no labeller runs${since}`,
    todo: 'start it: without it, labels mean nothing',
  };
}

function cleanliness({ record }: LabellerFacts, now: number, waitMs: number): PhaseFinding[] {
  if (record?.checkedAt === undefined)
    return [{ level: 'wait', text: 'the labeller has not checked every object yet' }];
  const looked = `the labeller last checked everything ${printDuration(now - record.checkedAt)} ago`;
  if (record.cleanSince === undefined)
    return [{ level: 'wait', text: `${looked}, and there were invalid objects` }];
  const clean = now - record.cleanSince;
  const text = `${looked}; no object has been invalid for ${printDuration(clean)}`;
  if (clean >= waitMs) return [{ level: 'ok', text }];
  return [
    {
      level: 'wait',
      text,
      todo: `wait another ${printDuration(waitMs - clean)}: the labeller checks everything again every day`,
    },
  ];
}

export function storedVersionFindings({ definitions }: ClusterFacts): PhaseFinding[] {
  return definitions
    .filter(({ storedVersions }) => storedVersions.includes('v1beta1'))
    .map(({ kind }) => ({
      level: 'wait',
      text: `${kind}s may still be stored in v1beta1`,
      todo: `rewrite them and remove v1beta1 from status.storedVersions: instar migrate ${crdName(SNAPSHOT_RESOURCES.find((one) => one.kind === kind)!)}`,
    }));
}
