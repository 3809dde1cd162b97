// Pods as the Pod Security Standards see them: the fields that checks read, in stored form, where what is not
// set is absent.
import type { JsonObject } from '@instar/machinery';

interface Profile {
  readonly type?: string;
}

interface Handler {
  readonly httpGet?: { readonly host?: string };
  readonly tcpSocket?: { readonly host?: string };
}

export interface SecurityContext {
  readonly allowPrivilegeEscalation?: boolean;
  readonly appArmorProfile?: Profile;
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  readonly privileged?: boolean;
  readonly procMount?: string;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly seLinuxOptions?: { readonly type?: string; readonly user?: string; readonly role?: string };
  readonly seccompProfile?: Profile;
  readonly windowsOptions?: { readonly hostProcess?: boolean };
  /** Of pods only. */
  readonly sysctls?: readonly { readonly name: string }[];
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly securityContext?: SecurityContext;
  readonly ports?: readonly { readonly hostPort?: number }[];
  readonly livenessProbe?: Handler;
  readonly readinessProbe?: Handler;
  readonly startupProbe?: Handler;
  readonly lifecycle?: { readonly postStart?: Handler; readonly preStop?: Handler };
}

export interface PodSpec {
  readonly containers?: readonly Container[] | null;
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly securityContext?: SecurityContext;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly hostUsers?: boolean;
  readonly os?: { readonly name: string };
  readonly runtimeClassName?: string;
  readonly volumes?: readonly (JsonObject & { readonly name: string })[];
}

export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  /** All of them, in the order in which they are told. */
  readonly containers: readonly Container[];
}

/** A pod, or the template of one. */
export function checkedPod(pod: {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: PodSpec;
}): CheckedPod {
  const { spec = {}, metadata } = pod;
  const { initContainers = [], ephemeralContainers = [] } = spec;
  return {
    annotations: metadata?.annotations ?? {},
    spec,
    containers: [...initContainers, ...(spec.containers ?? []), ...ephemeralContainers],
  };
}
