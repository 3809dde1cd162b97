// Which checks the standards of each version have, and what they find. Checks of the level restricted may
// replace weaker ones of baseline.
import * as baseline from './baseline-checks.ts';
import type { LevelVersion } from './level.ts';
import type { CheckedPod } from './pod.ts';
import * as restricted from './restricted-checks.ts';
import * as seccomp from './seccomp-checks.ts';
import type { Check, Violation } from './violation.ts';

interface StandardCheck {
  readonly id: string;
  /** By the first minor version that has it, in rising order. */
  readonly since: readonly (readonly [minor: number, check: Check])[];
  /** The check of baseline that it replaces. */
  readonly replaces?: string;
}

const TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
const SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const SYSCTLS_27 = [...SYSCTLS, 'net.ipv4.ip_local_reserved_ports'];
const SYSCTLS_29 = [
  ...SYSCTLS_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const SYSCTLS_32 = [...SYSCTLS_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

/** In the order of their ids, in which violations are told. */
const BASELINE: readonly StandardCheck[] = [
  { id: 'appArmorProfile', since: [[0, baseline.appArmorProfile]] },
  { id: 'capabilities_baseline', since: [[0, baseline.capabilities]] },
  { id: 'hostNamespaces', since: [[0, baseline.hostNamespaces]] },
  { id: 'hostPathVolumes', since: [[0, baseline.hostPathVolumes]] },
  { id: 'hostPorts', since: [[0, baseline.hostPorts]] },
  { id: 'hostProbesAndHostLifecycle', since: [[34, baseline.hostProbes]] },
  { id: 'privileged', since: [[0, baseline.privileged]] },
  {
    id: 'procMount',
    since: [
      [0, baseline.procMount],
      [35, baseline.unlessOwnUsers(baseline.procMount)],
    ],
  },
  {
    id: 'seLinuxOptions',
    since: [
      [0, baseline.seLinuxOptions(...TYPES)],
      [31, baseline.seLinuxOptions(...TYPES, 'container_engine_t')],
    ],
  },
  {
    id: 'seccompProfile_baseline',
    since: [
      [0, seccomp.seccompAnnotations],
      [19, seccomp.seccompProfile],
    ],
  },
  {
    id: 'sysctls',
    since: [
      [0, baseline.sysctls(...SYSCTLS)],
      [27, baseline.sysctls(...SYSCTLS_27)],
      [29, baseline.sysctls(...SYSCTLS_29)],
      [32, baseline.sysctls(...SYSCTLS_32)],
    ],
  },
  { id: 'windowsHostProcess', since: [[0, baseline.windowsHostProcess]] },
];

/** From 1.25 on, pods may say that they are for Windows. */
const notForWindows = (minor: number, check: Check): StandardCheck['since'] => [
  [minor, check],
  [25, restricted.unlessWindows(check)],
];

const RESTRICTED: readonly StandardCheck[] = [
  { id: 'allowPrivilegeEscalation', since: notForWindows(8, restricted.allowPrivilegeEscalation) },
  {
    id: 'capabilities_restricted',
    since: notForWindows(22, restricted.restrictedCapabilities),
    replaces: 'capabilities_baseline',
  },
  { id: 'procMount_restricted', since: [[35, baseline.procMount]], replaces: 'procMount' },
  { id: 'restrictedVolumes', since: [[0, restricted.restrictedVolumes]], replaces: 'hostPathVolumes' },
  {
    id: 'runAsNonRoot',
    since: [
      [0, restricted.runAsNonRoot],
      [35, baseline.unlessOwnUsers(restricted.runAsNonRoot)],
    ],
  },
  {
    id: 'runAsUser',
    since: [
      [23, restricted.runAsUser],
      [35, baseline.unlessOwnUsers(restricted.runAsUser)],
    ],
  },
  {
    id: 'seccompProfile_restricted',
    since: notForWindows(19, seccomp.namedSeccompProfile),
    replaces: 'seccompProfile_baseline',
  },
];

/** In every later version the same checks. */
const NEWEST = 35;
const known = new Map<string, readonly Check[]>();

/** What is wrong with a pod, in the order in which it is told. */
export function violationsOf({ level, version }: LevelVersion, pod: CheckedPod): Violation[] {
  if (level === 'privileged') return [];
  const minor = version === 'latest' ? NEWEST : Math.min(version, NEWEST);
  const key = `${level} ${minor}`;
  let checks = known.get(key);
  if (checks === undefined) known.set(key, (checks = checksOf(level, minor)));
  return checks.flatMap((check) => check(pod) ?? []);
}

function checksOf(level: 'baseline' | 'restricted', minor: number): Check[] {
  const among = (all: readonly StandardCheck[]) => all.filter(({ since }) => since[0]![0] <= minor);
  const stricter = level === 'restricted' ? among(RESTRICTED) : [];
  const replaced = stricter.map(({ replaces }) => replaces);
  const weaker = among(BASELINE).filter(({ id }) => !replaced.includes(id));
  return [...weaker, ...stricter].map(({ since }) => since.findLast(([first]) => first <= minor)![1]);
}

/** "privileged (container "c" must not …), …" */
export const violationDetails = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');

export const violationReasons = (violations: readonly Violation[]): string =>
  violations.map(({ reason }) => reason).join(', ');
