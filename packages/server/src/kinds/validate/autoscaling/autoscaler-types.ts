// autoscaling/v2 HorizontalPodAutoscaler: the version that is stored, in which all rules are written.
import type { JsonValue, KubeObject, LabelSelectorObject } from '@instar/machinery';

export interface ObjectTarget {
  kind: string;
  name: string;
  apiVersion?: string;
}

export interface MetricTarget {
  type: string;
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}

export interface MetricIdentifier {
  name: string;
  selector?: LabelSelectorObject;
}

export interface MetricSpec {
  type: string;
  object?: { describedObject: ObjectTarget; metric: MetricIdentifier; target: MetricTarget };
  pods?: { metric: MetricIdentifier; target: MetricTarget };
  resource?: { name: string; target: MetricTarget };
  containerResource?: { name: string; container: string; target: MetricTarget };
  external?: { metric: MetricIdentifier; target: MetricTarget };
}

/** What a metric is now; without a type, otherwise like a target. */
export type MetricValue = Omit<MetricTarget, 'type'>;

export interface MetricStatus {
  type: string;
  object?: { describedObject: ObjectTarget; metric: MetricIdentifier; current: MetricValue };
  pods?: { metric: MetricIdentifier; current: MetricValue };
  resource?: { name: string; current: MetricValue };
  containerResource?: { name: string; container: string; current: MetricValue };
  external?: { metric: MetricIdentifier; current: MetricValue };
}

export interface ScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: { type: string; value: number; periodSeconds: number }[];
  tolerance?: string;
}

export interface Autoscaler extends KubeObject {
  spec: {
    scaleTargetRef: ObjectTarget;
    minReplicas?: number;
    maxReplicas: number;
    metrics?: MetricSpec[];
    behavior?: { scaleUp?: ScalingRules; scaleDown?: ScalingRules };
  };
  status: {
    observedGeneration?: number;
    lastScaleTime?: string;
    currentReplicas?: number;
    desiredReplicas: number;
    currentMetrics: MetricStatus[] | null;
    conditions?: JsonValue[];
  };
}
