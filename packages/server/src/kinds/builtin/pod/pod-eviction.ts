// pods/eviction: deletes a pod unless a disruption budget does not allow it now. The budget counts the
// disruption; who refills it is a controller.
import { goStruct } from '@instar/kinds';
import {
  ApiError,
  apiErrors,
  fieldErrors,
  type KubeObject,
  type LabelSelectorObject,
  labelSelectorFromObject,
  type Status,
} from '@instar/machinery';
import type { CreateCall, DeclaredSubresource, RemoveOptions } from '../../../objects/subresource.ts';
import type { Pod } from '../../validate/pod/pod-types.ts';
import { SUCCESS } from './pod-binding.ts';
import { setCondition } from './pod-conditions.ts';

interface Eviction extends KubeObject {
  deleteOptions?: {
    dryRun?: string[];
    gracePeriodSeconds?: number;
    orphanDependents?: boolean;
    propagationPolicy?: RemoveOptions['propagationPolicy'];
    preconditions?: { uid?: string; resourceVersion?: string };
    ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  };
}

interface Budget extends KubeObject {
  spec: { selector?: LabelSelectorObject; unhealthyPodEvictionPolicy?: string };
  status: {
    observedGeneration?: number;
    disruptionsAllowed: number;
    currentHealthy: number;
    desiredHealthy: number;
    disruptedPods?: Record<string, string>;
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
  };
}

const POLICY = 'policy';
const BUDGETS = 'poddisruptionbudgets';
const MAX_RACES = 8;
const MAX_DISRUPTED = 2000;

async function evict(call: CreateCall): Promise<Status> {
  const { metadata, deleteOptions = {} } = call.object as Eviction;
  if (metadata.name !== call.name)
    throw apiErrors.badRequest('name in URL does not match name in Eviction object');
  if (deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential) {
    const field = 'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential';
    const why = 'can not be set for pod eviction, try after removing the option';
    throw apiErrors.invalid({ group: POLICY, kind: 'Eviction' }, call.name, [
      fieldErrors.invalid(field, true, why),
    ]);
  }
  const dryRun = call.dryRun || (deleteOptions.dryRun ?? []).length > 0;
  await call.admit();
  const { preconditions, gracePeriodSeconds, orphanDependents, propagationPolicy } = deleteOptions;
  const options: RemoveOptions = {
    ...preconditions,
    gracePeriodSeconds,
    orphanDependents,
    propagationPolicy,
  };
  const pod = (await call.read()) as Pod;
  if (!isHeldByBudgets(pod)) {
    await conditionAndRemove(call, options, dryRun);
    return SUCCESS;
  }
  const refusal = await askBudget(call, pod, dryRun);
  if (refusal !== undefined) return refusal;
  await conditionAndRemove(call, options, dryRun);
  return SUCCESS;
}

const isHeldByBudgets = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp == null && !['Succeeded', 'Failed', 'Pending'].includes(status.phase ?? '');

/** Says in the pod why it ends, then deletes it. */
async function conditionAndRemove(call: CreateCall, options: RemoveOptions, dryRun: boolean): Promise<void> {
  if (dryRun) return call.remove(options, true);
  const { resourceVersion, uid } = options;
  const amended = await call.amend((object) => {
    checkPreconditions(object, options);
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'EvictionByEvictionAPI',
      message: 'Eviction API: evicting',
    };
    setCondition((object as Pod).status, condition, call.now);
    return object;
  });
  await call.remove(
    { ...options, uid, resourceVersion: resourceVersion && amended.metadata.resourceVersion! },
    false,
  );
}

function checkPreconditions({ metadata }: KubeObject, { uid, resourceVersion }: RemoveOptions): void {
  const failed = (what: string, asked: string, found: string | undefined, then: string) =>
    apiErrors.conflict(
      { group: '', resource: 'Pod' },
      metadata.name!,
      `the ${what} in the precondition (${asked}) does not match the ${what} in record (${found}). The object might have been ${then}`,
    );
  if (uid && uid !== metadata.uid) throw failed('UID', uid, metadata.uid, 'deleted and then recreated');
  if (resourceVersion && resourceVersion !== metadata.resourceVersion)
    throw failed('ResourceVersion', resourceVersion, metadata.resourceVersion, 'modified');
}

/** Takes one disruption of the budget; returns what is answered if that is not possible at all. */
async function askBudget(call: CreateCall, pod: Pod, dryRun: boolean): Promise<Status | undefined> {
  const budgets = ((await call.list(POLICY, BUDGETS)) as Budget[]).filter((budget) => selects(budget, pod));
  if (budgets.length > 1) {
    const message =
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
    throw apiErrors.raw({ code: 500, message });
  }
  const [budget] = budgets;
  if (budget === undefined || isUnhealthyAllowed(budget, pod)) return undefined;
  await takeDisruption(call, budget, pod.metadata.name!, dryRun);
  return undefined;
}

const selects = ({ spec }: Budget, { metadata }: Pod): boolean =>
  labelSelectorFromObject(spec.selector).matches(metadata.labels);

function isUnhealthyAllowed({ spec, status }: Budget, pod: Pod): boolean {
  const isReady = (pod.status.conditions ?? []).some(
    (condition) => condition.type === 'Ready' && condition.status === 'True',
  );
  if (isReady) return false;
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  return status.currentHealthy >= status.desiredHealthy && status.desiredHealthy > 0;
}

async function takeDisruption(call: CreateCall, first: Budget, pod: string, dryRun: boolean): Promise<void> {
  let budget = first;
  for (let race = 0; race < MAX_RACES; race++) {
    checkBudget(budget);
    const { status } = budget;
    const next = structuredClone(budget);
    next.status.disruptionsAllowed = status.disruptionsAllowed - 1;
    if (dryRun) return;
    next.status.disruptedPods = { ...status.disruptedPods, [pod]: call.now };
    try {
      await call.updateStatus(POLICY, BUDGETS, next);
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'Conflict') throw error;
    }
    budget = (await call.find(POLICY, BUDGETS, call.namespace, first.metadata.name!)) as Budget;
    if (budget === undefined) return;
  }
  const message = `Timeout: couldn't update PodDisruptionBudget ${JSON.stringify(first.metadata.name)} due to conflicts`;
  throw apiErrors.raw({ code: 504, reason: 'Timeout', message, details: { retryAfterSeconds: 10 } });
}

const NOT_NOW = "Cannot evict pod as it would violate the pod's disruption budget.";

function checkBudget({ metadata, status }: Budget): void {
  const name = metadata.name!;
  const forbid = (why: string) =>
    apiErrors.forbidden({ group: POLICY, resource: 'poddisruptionbudget' }, name, why);
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0))
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  if (status.disruptionsAllowed < 0) throw forbid('pdb disruptions allowed is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > MAX_DISRUPTED)
    throw forbid('DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  if (status.disruptionsAllowed === 0) throw tooMany(whyNotNow(name, status), 0);
}

function whyNotNow(name: string, { conditions, currentHealthy, desiredHealthy }: Budget['status']): string {
  const condition = (conditions ?? []).find(({ type }) => type === 'DisruptionAllowed');
  const message = condition?.status === 'False' ? (condition.message ?? '') : '';
  const start = `The disruption budget ${name}`;
  if (message !== '' && condition?.reason === 'SyncFailed')
    return `${start} does not allow evicting pods currently because it failed sync: ${message}`;
  if (currentHealthy <= desiredHealthy)
    return `${start} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return message === ''
    ? `${start} does not allow evicting pods currently`
    : `${start} does not allow evicting pods currently (${condition!.reason}): ${message}`;
}

function tooMany(cause: string, retryAfterSeconds: number): ApiError {
  return apiErrors.raw({
    code: 429,
    reason: 'TooManyRequests',
    message: NOT_NOW,
    details: {
      ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
      causes: [{ reason: 'DisruptionBudget', message: cause }],
    },
  });
}

export const eviction: DeclaredSubresource = {
  style: 'create',
  name: 'eviction',
  kind: { group: POLICY, version: 'v1', kind: 'Eviction' },
  type: goStruct('policy/v1.Eviction'),
  alsoAccepts: ['policy/v1beta1'],
  create: evict,
};
