// Workloads that keep pods running, as validation sees them: decoded, with defaults.
import type { KubeObject, LabelSelectorObject } from '@instar/machinery';
import type { PodTemplateSpec } from '../pod/pod-types.ts';

export interface RollingUpdate {
  maxUnavailable?: number | string;
  maxSurge?: number | string;
  partition?: number;
}

export interface UpdateStrategy {
  type?: string;
  rollingUpdate?: RollingUpdate;
}

interface SelectingSpec {
  selector: LabelSelectorObject | null;
  template: PodTemplateSpec;
  replicas?: number;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
}

/** The counts that the statuses of workloads have. */
export interface WorkloadStatus {
  observedGeneration?: number;
  replicas?: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  updatedReplicas?: number;
  currentReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  collisionCount?: number;
}

export interface Deployment extends KubeObject {
  spec: SelectingSpec & { strategy: UpdateStrategy; progressDeadlineSeconds?: number };
  status: WorkloadStatus;
}

export interface ReplicaSet extends KubeObject {
  spec: SelectingSpec;
  status: WorkloadStatus;
}

export interface ReplicationController extends KubeObject {
  spec: {
    selector?: Record<string, string>;
    template?: PodTemplateSpec;
    replicas?: number;
    minReadySeconds?: number;
  };
  status: WorkloadStatus;
}

export interface DaemonSet extends KubeObject {
  spec: SelectingSpec & { updateStrategy: UpdateStrategy };
  status: {
    currentNumberScheduled: number;
    numberMisscheduled: number;
    desiredNumberScheduled: number;
    numberReady: number;
    observedGeneration?: number;
    updatedNumberScheduled?: number;
    numberAvailable?: number;
    numberUnavailable?: number;
    collisionCount?: number;
  };
}

export interface StatefulSet extends KubeObject {
  spec: SelectingSpec & {
    serviceName?: string;
    podManagementPolicy?: string;
    updateStrategy: UpdateStrategy;
    volumeClaimTemplates?: { metadata?: { name?: string }; spec?: Record<string, unknown> }[];
    ordinals?: { start?: number };
    persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
  };
  status: WorkloadStatus;
}
