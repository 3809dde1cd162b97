// Security contexts of pods and containers.
import { validateDns1123Subdomain } from '@instar/go';
import { asJson, type FieldError, type FieldPath, fieldErrors, type KubeObject } from '@instar/machinery';
import { containersWithPath } from './each-container.ts';
import { internalJson } from './internal-json.ts';
import type { Container, PodSecurityContext, PodSpec, SecurityContext } from './pod-types.ts';
import { invalidEach, validateDescendingPath, validateId, validateOptionalChoice } from './values.ts';

type Profile = NonNullable<SecurityContext['seccompProfile']>;
type WindowsOptions = NonNullable<SecurityContext['windowsOptions']>;

const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function validateSeccomp(profile: Profile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type = '', localhostProfile: file } = profile;
  const errors: FieldError[] = [];
  if (type === '')
    errors.push(fieldErrors.required(path.child('type'), 'type is required when seccompProfile is set'));
  else if (!PROFILES.includes(type))
    errors.push(fieldErrors.notSupported(path.child('type'), type, PROFILES));
  const at = path.child('localhostProfile');
  if (type !== 'Localhost') {
    if (file !== undefined) {
      const value = { Type: type, LocalhostProfile: file };
      const text = JSON.stringify(value);
      errors.push({
        ...fieldErrors.invalid(at, value, 'can only be set when seccomp type is Localhost'),
        valueText: text,
      });
    }
  } else if (file === undefined)
    errors.push(fieldErrors.required(at, 'must be set when seccomp type is Localhost'));
  else errors.push(...validateDescendingPath(file, at));
  return errors;
}

const MAX_PROFILE = 4095;

function validateAppArmor(profile: Profile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type = '', localhostProfile: file } = profile;
  const at = path.child('localhostProfile');
  switch (type) {
    case 'Localhost':
      return validateAppArmorFile(file, at);
    case 'RuntimeDefault':
    case 'Unconfined':
      return file === undefined
        ? []
        : [fieldErrors.invalid(at, file, 'can only be set when AppArmor type is Localhost')];
    case '':
      return [fieldErrors.required(path.child('type'), 'type is required when appArmorProfile is set')];
    default:
      return [fieldErrors.notSupported(path.child('type'), type, PROFILES)];
  }
}

function validateAppArmorFile(file: string | undefined, path: FieldPath): FieldError[] {
  if (file === undefined) return [fieldErrors.required(path, 'must be set when AppArmor type is Localhost')];
  const errors: FieldError[] = [];
  if (file.trim() !== file)
    errors.push(fieldErrors.invalid(path, file, 'must not be padded with whitespace'));
  else if (file === '')
    errors.push(fieldErrors.required(path, 'must be set when AppArmor type is Localhost'));
  if (Buffer.byteLength(file) > MAX_PROFILE) errors.push(fieldErrors.tooLong(path, MAX_PROFILE));
  return errors;
}

/** Upstream prints the struct of its internal type, with every field. */
const SECURITY_FIELDS: readonly [internal: string, field: keyof SecurityContext][] = [
  ['Capabilities', 'capabilities'],
  ['Privileged', 'privileged'],
  ['SELinuxOptions', 'seLinuxOptions'],
  ['WindowsOptions', 'windowsOptions'],
  ['RunAsUser', 'runAsUser'],
  ['RunAsGroup', 'runAsGroup'],
  ['RunAsNonRoot', 'runAsNonRoot'],
  ['ReadOnlyRootFilesystem', 'readOnlyRootFilesystem'],
  ['AllowPrivilegeEscalation', 'allowPrivilegeEscalation'],
  ['ProcMount', 'procMount'],
  ['SeccompProfile', 'seccompProfile'],
  ['AppArmorProfile', 'appArmorProfile'],
];

function printed(context: SecurityContext): string {
  const capabilities = context.capabilities && {
    Add: context.capabilities.add ?? null,
    Drop: context.capabilities.drop ?? null,
  };
  const profile = (value: Profile | undefined) =>
    value && { Type: value.type, LocalhostProfile: value.localhostProfile ?? null };
  const shown: Record<string, unknown> = {
    ...context,
    capabilities,
    seLinuxOptions: context.seLinuxOptions && internalJson('SELinuxOptions', { ...context.seLinuxOptions }),
    windowsOptions:
      context.windowsOptions && internalJson('WindowsSecurityContextOptions', { ...context.windowsOptions }),
    seccompProfile: profile(context.seccompProfile),
    appArmorProfile: profile(context.appArmorProfile),
  };
  return JSON.stringify(
    Object.fromEntries(SECURITY_FIELDS.map(([name, field]) => [name, shown[field] ?? null])),
  );
}

export function validateSecurityContext(
  context: SecurityContext | undefined,
  path: FieldPath,
  hostUsers: boolean,
): FieldError[] {
  if (context === undefined) return [];
  const { procMount, capabilities } = context;
  const errors = [
    ...validateId(context.runAsUser, path.child('runAsUser')),
    ...validateId(context.runAsGroup, path.child('runAsGroup')),
    ...validateOptionalChoice(procMount, ['Default', 'Unmasked'], path.child('procMount')),
  ];
  if (hostUsers && procMount === 'Unmasked')
    errors.push(
      fieldErrors.invalid(path.child('procMount'), procMount, '`hostUsers` must be false to use `Unmasked`'),
    );
  errors.push(...validateSeccomp(context.seccompProfile, path.child('seccompProfile')));
  if (context.allowPrivilegeEscalation === false) {
    const refuse = (what: string): void => {
      const why = `cannot set \`allowPrivilegeEscalation\` to false and ${what}`;
      const error = fieldErrors.invalid(path, asJson(context as unknown as KubeObject), why);
      errors.push({ ...error, valueText: printed(context) });
    };
    if (context.privileged) refuse('`privileged` to true');
    for (const added of capabilities?.add ?? [])
      if (added === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN');
  }
  return [
    ...errors,
    ...validateWindowsOptions(context.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmor(context.appArmorProfile, path.child('appArmorProfile')),
  ];
}

export function validatePodSecurityContext(
  context: PodSecurityContext | undefined,
  spec: PodSpec,
  path: FieldPath,
): FieldError[] {
  if (context === undefined) return [];
  const errors = [
    ...validateId(context.fsGroup, path.child('fsGroup')),
    ...validateId(context.runAsUser, path.child('runAsUser')),
    ...validateId(context.runAsGroup, path.child('runAsGroup')),
    ...(context.supplementalGroups ?? []).flatMap((group, index) =>
      validateId(group, path.child('supplementalGroups').index(index)),
    ),
  ];
  if (spec.shareProcessNamespace && spec.hostPID) {
    const why = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(fieldErrors.invalid(path.child('shareProcessNamespace'), true, why));
  }
  const choice = (
    name: 'fsGroupChangePolicy' | 'supplementalGroupsPolicy' | 'seLinuxChangePolicy',
    of: string[],
  ) => validateOptionalChoice(context[name], of, path.child(name));
  return [
    ...errors,
    ...validateSysctls(context, spec, path.child('sysctls')),
    ...choice('fsGroupChangePolicy', ['Always', 'OnRootMismatch']),
    ...validateSeccomp(context.seccompProfile, path.child('seccompProfile')),
    ...validateWindowsOptions(context.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmor(context.appArmorProfile, path.child('appArmorProfile')),
    ...choice('supplementalGroupsPolicy', ['Merge', 'Strict']),
    ...choice('seLinuxChangePolicy', ['Recursive']),
  ];
}

const MAX_SYSCTL = 253;
const SYSCTL_PART = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SYSCTL = `^(${SYSCTL_PART}[\\./])*${SYSCTL_PART}$`;
const SYSCTL_PATTERN = new RegExp(SYSCTL);

function validateSysctls({ sysctls = [] }: PodSecurityContext, spec: PodSpec, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return sysctls.flatMap(({ name = '' }, index) => {
    const at = path.index(index).child('name');
    const errors: FieldError[] = [];
    if (name === '') errors.push(fieldErrors.required(at));
    else if (name.length > MAX_SYSCTL || !SYSCTL_PATTERN.test(name))
      errors.push(
        fieldErrors.invalid(at, name, `must have at most ${MAX_SYSCTL} characters and match regex ${SYSCTL}`),
      );
    else if (seen.has(name)) errors.push(fieldErrors.duplicate(at, name));
    seen.add(name);
    return [...errors, ...validateHostSysctl(name, spec, at)];
  });
}

const IPC_SYSCTLS = ['kernel.shm', 'kernel.msg', 'kernel.sem', 'fs.mqueue.'];

function validateHostSysctl(name: string, { hostNetwork, hostIPC }: PodSpec, path: FieldPath): FieldError[] {
  const dotted = name.replaceAll('/', '.');
  if (hostNetwork && dotted.startsWith('net.'))
    return [fieldErrors.invalid(path, name, "may not be specified when 'hostNetwork' is true")];
  if (hostIPC && IPC_SYSCTLS.some((prefix) => dotted.startsWith(prefix)))
    return [fieldErrors.invalid(path, name, "may not be specified when 'hostIPC' is true")];
  return [];
}

const MAX_CREDENTIAL_SPEC = 64 * 1024;
const MAX_DOMAIN = 256;
const MAX_USER = 104;
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS_DOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const CONTROL = /[\x00-\x1f\x7f]/;

function validateWindowsOptions(options: WindowsOptions | undefined, path: FieldPath): FieldError[] {
  if (options === undefined) return [];
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  const errors =
    name === undefined
      ? []
      : invalidEach(path.child('gmsaCredentialSpecName'), name, validateDns1123Subdomain(name));
  const at = path.child('gmsaCredentialSpec');
  if (spec === '') errors.push(fieldErrors.invalid(at, spec, 'gmsaCredentialSpec cannot be an empty string'));
  else if (spec !== undefined && Buffer.byteLength(spec) > MAX_CREDENTIAL_SPEC)
    errors.push(fieldErrors.invalid(at, spec, 'gmsaCredentialSpec size must be under 64 KiB'));
  return [
    ...errors,
    ...(user === undefined ? [] : invalidEach(path.child('runAsUserName'), user, userFaults(user))),
  ];
}

function userFaults(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (CONTROL.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const [domain, user] = parts.length === 1 ? [undefined, parts[0]!] : (parts as [string, string]);
  const faults: string[] = [];
  if (domain !== undefined && domain.length >= MAX_DOMAIN)
    faults.push(`runAsUserName's Domain length must be under ${MAX_DOMAIN} characters`);
  if (domain !== undefined && !NETBIOS.test(domain) && !DNS_DOMAIN.test(domain))
    faults.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  if (user === '') faults.push("runAsUserName's User cannot be empty");
  else if (user.length > MAX_USER)
    faults.push(`runAsUserName's User length must not be longer than ${MAX_USER} characters`);
  if (/^[. ]+$/.test(user)) faults.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    faults.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  return faults;
}

/** All containers of a pod are host processes of Windows, or none is. */
export function validateHostProcesses(spec: PodSpec, path: FieldPath): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const errors: FieldError[] = [];
  const all = containersWithPath(spec, path);
  let count = 0;
  for (const [{ securityContext }, at] of all) {
    const own = securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(
        fieldErrors.invalid(at.child('securityContext', 'windowsOptions', 'hostProcess'), own, why),
      );
    }
    if (own ?? ofPod) count++;
  }
  if (count === 0) return errors;
  if (count !== all.length) {
    const why =
      'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(fieldErrors.invalid(path, '', why));
  }
  if (!spec.hostNetwork) {
    const why = 'hostNetwork must be true if pod contains any hostProcess containers';
    errors.push(fieldErrors.invalid(path.child('hostNetwork'), false, why));
  }
  return errors;
}

const LINUX_ONLY_OF_POD = [
  ...['appArmorProfile', 'seLinuxOptions', '^hostUsers', '^hostPID', '^hostIPC', 'seccompProfile', 'fsGroup'],
  ...['fsGroupChangePolicy', 'sysctls', '^shareProcessNamespace', 'runAsUser', 'runAsGroup'],
  ...['supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy'],
];
const LINUX_ONLY = [
  ...['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem'],
  ...['privileged', 'allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'],
] as const;

export function validateOs(spec: PodSpec, path: FieldPath): FieldError[] {
  if (spec.os === undefined) return [];
  const name = spec.os.name ?? '';
  if (name === '') return [fieldErrors.required(path.child('os', 'name'))];
  if (name === 'windows') return validateWindows(spec, path);
  if (name === 'linux') return validateLinux(spec, path);
  return [fieldErrors.notSupported(path.child('os'), name, ['linux', 'windows'])];
}

function validateLinux(spec: PodSpec, path: FieldPath): FieldError[] {
  const refuse = (context: PodSecurityContext | SecurityContext | undefined, at: FieldPath): FieldError[] =>
    context?.windowsOptions === undefined
      ? []
      : [
          fieldErrors.forbidden(
            at.child('securityContext', 'windowsOptions'),
            'windows options cannot be set for a linux pod',
          ),
        ];
  return [
    ...refuse(spec.securityContext, path),
    ...containersWithPath(spec, path).flatMap(([container, at]) => refuse(container.securityContext, at)),
  ];
}

function validateWindows(spec: PodSpec, path: FieldPath): FieldError[] {
  const refuse = (at: FieldPath) => fieldErrors.forbidden(at, 'cannot be set for a windows pod');
  const context = spec.securityContext as Record<string, unknown> | undefined;
  const whole = spec as unknown as Record<string, unknown>;
  const ofPod = LINUX_ONLY_OF_POD.flatMap((name) => {
    if (!name.startsWith('^'))
      return context?.[name] === undefined ? [] : [refuse(path.child('securityContext', name))];
    const field = name.slice(1);
    return whole[field] === undefined ? [] : [refuse(path.child(field))];
  });
  const ofContainers = containersWithPath(spec, path).flatMap(([{ securityContext }, at]) =>
    LINUX_ONLY.filter((name) => securityContext?.[name] !== undefined).map((name) =>
      refuse(at.child('securityContext', name)),
    ),
  );
  return [...ofPod, ...ofContainers];
}

/** A pod with users of its own shares neither processes nor devices with its host. */
export function validateHostUsers(spec: PodSpec, path: FieldPath): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const refuse = (at: FieldPath) => fieldErrors.forbidden(at, 'when `hostUsers` is false');
  return [
    ...(spec.hostNetwork ? [refuse(path.child('hostNetwork'))] : []),
    ...(spec.hostPID ? [refuse(path.child('HostPID'))] : []),
    ...(spec.hostIPC ? [refuse(path.child('HostIPC'))] : []),
    ...containersWithPath(spec, path).flatMap(([{ volumeDevices }, at]: [Container, FieldPath]) =>
      (volumeDevices ?? []).length > 0 ? [refuse(at.child('volumeDevices'))] : [],
    ),
  ];
}
