// The columns of pods: how many containers are ready, and one word for what they do.
import type { JsonObject } from '@instar/machinery';
import type { TableColumn } from '../../../objects/definition.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../../table/columns.ts';
import { ageOf } from '../../table/human-duration.ts';
import type { ContainerState, ContainerStatus, Pod, PodStatus } from '../../validate/pod/pod-types.ts';
import { isSidecar } from '../../validate/pod/resource-lists.ts';

interface Summary {
  ready: number;
  total: number;
  reason: string;
  restarts: number;
  /** When a container was last restarted, as RFC 3339. */
  lastRestart: string;
}

const conditionOf = (status: PodStatus, type: string) =>
  (status.conditions ?? []).find((condition) => condition.type === type);

const later = (a: string, b: string | undefined): string => (b !== undefined && b > a ? b : a);

function summarize(object: JsonObject): Summary {
  const pod = object as unknown as Pod;
  const { spec, status, metadata } = pod;
  const sidecars = new Set((spec.initContainers ?? []).filter(isSidecar).map(({ name }) => name));
  const summary: Summary = {
    ready: 0,
    total: (spec.containers ?? []).length + sidecars.size,
    reason: status.reason || status.phase || '',
    restarts: 0,
    lastRestart: '',
  };
  if (
    (status.conditions ?? []).some(
      ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
    )
  )
    summary.reason = 'SchedulingGated';
  const isInitializing = summarizeInit(pod, sidecars, summary);
  if (!isInitializing || conditionOf(status, 'Initialized')?.status === 'True')
    summarizeContainers(pod, sidecars, summary);
  if (metadata.deletionTimestamp != null) {
    if (status.reason === 'NodeLost') summary.reason = 'Unknown';
    else if (status.phase !== 'Failed' && status.phase !== 'Succeeded') summary.reason = 'Terminating';
  }
  return summary;
}

function countRestarts(summary: Summary, { restartCount = 0, lastState }: ContainerStatus): void {
  summary.restarts += restartCount;
  summary.lastRestart = later(summary.lastRestart, lastState?.terminated?.finishedAt);
}

/** True if an init container is not done. */
function summarizeInit({ spec, status }: Pod, sidecars: ReadonlySet<string>, summary: Summary): boolean {
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    countRestarts(summary, container);
    const { state = {}, name } = container;
    if (state.terminated?.exitCode === 0) continue;
    if (sidecars.has(name) && container.started) {
      if (container.ready) summary.ready++;
      continue;
    }
    summary.reason = `Init:${initReason(state) ?? `${index}/${spec.initContainers?.length ?? 0}`}`;
    return true;
  }
  return false;
}

function initReason({ terminated, waiting }: ContainerState): string | undefined {
  if (terminated !== undefined) return terminatedReason(terminated);
  return waiting?.reason && waiting.reason !== 'PodInitializing' ? waiting.reason : undefined;
}

function terminatedReason({ reason, signal, exitCode }: NonNullable<ContainerState['terminated']>): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

function summarizeContainers({ status }: Pod, sidecars: ReadonlySet<string>, summary: Summary): void {
  summary.restarts = 0;
  summary.lastRestart = '';
  for (const container of status.initContainerStatuses ?? [])
    if (sidecars.has(container.name)) countRestarts(summary, container);
  let hasRunning = false;
  let errorReason = '';
  for (const container of [...(status.containerStatuses ?? [])].reverse()) {
    countRestarts(summary, container);
    const { waiting, terminated, running } = container.state ?? {};
    if (waiting?.reason) summary.reason = waiting.reason;
    else if (terminated !== undefined) {
      summary.reason = terminatedReason(terminated);
      if (terminated.exitCode !== 0) errorReason = summary.reason;
    } else if (container.ready && running !== undefined) {
      hasRunning = true;
      summary.ready++;
    }
  }
  if (summary.reason !== 'Completed') return;
  if (hasRunning && conditionOf(status, 'Ready')?.status === 'True') summary.reason = 'Running';
  else if (errorReason !== '') summary.reason = errorReason;
  else if (hasRunning) summary.reason = 'NotReady';
}

function restartsCell(object: JsonObject, now: number): string {
  const { restarts, lastRestart } = summarize(object);
  return restarts === 0 || lastRestart === ''
    ? `${restarts}`
    : `${restarts} (${ageOf(lastRestart, now)} ago)`;
}

function gatesCell(object: JsonObject): string {
  const { spec, status } = object as unknown as Pod;
  const gates = spec.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const open = gates.filter(({ conditionType }) => conditionOf(status, conditionType)?.status === 'True');
  return `${open.length}/${gates.length}`;
}

const podOf = (object: JsonObject): Pod => object as unknown as Pod;

export const podColumns: readonly TableColumn[] = [
  nameColumn,
  column('Ready', 'How many containers of the pod are ready, and how many it has.', (object) => {
    const { ready, total } = summarize(object);
    return `${ready}/${total}`;
  }),
  column('Status', 'What the containers of the pod do, in one word.', (object) => summarize(object).reason),
  column('Restarts', 'How often containers of the pod were restarted, and when last.', restartsCell),
  ageColumn,
  wideColumn('IP', 'The address of the pod.', (object) => podOf(object).status.podIPs?.[0]?.ip || '<none>'),
  wideColumn('Node', 'The node of the pod.', (object) => podOf(object).spec.nodeName || '<none>'),
  wideColumn(
    'Nominated Node',
    'The node that the pod will get when others have made room.',
    (object) => podOf(object).status.nominatedNodeName || '<none>',
  ),
  wideColumn('Readiness Gates', 'How many readiness gates of the pod are open.', gatesCell),
];
