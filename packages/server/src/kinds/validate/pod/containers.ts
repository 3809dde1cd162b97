// Containers of a pod: ordinary ones, those that run before them, and those that are added for debugging.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import { validateEnv, validateEnvFrom } from './env.ts';
import { type HandlerContext, validateLifecycle, validateProbes } from './handlers.ts';
import { type VolumesByName, validateDevices, validateMounts } from './mounts.ts';
import type { Container, ContainerPort, RestartRule } from './pod-types.ts';
import { isSidecar } from './resource-lists.ts';
import { validateContainerResources } from './resources.ts';
import { validateSecurityContext } from './security.ts';
import {
  requireText,
  validateChoice,
  validateLabelText,
  validatePortName,
  validatePortNumberAt,
} from './values.ts';

/** What containers depend on in their pod. */
export interface ContainerContext extends HandlerContext {
  readonly volumes: VolumesByName;
  readonly claims: ReadonlySet<string>;
  readonly restartPolicy: string | undefined;
  readonly hostUsers: boolean;
}

export function validateContainers(
  containers: readonly Container[],
  context: ContainerContext,
  path: FieldPath,
): FieldError[] {
  if (containers.length === 0) return [fieldErrors.required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const at = path.index(index);
    const { name = '', lifecycle } = container;
    const own = validateContainer(container, context, at);
    if (names.has(name)) own.push(fieldErrors.duplicate(at.child('name'), name));
    names.add(name);
    return [
      ...own,
      ...(lifecycle === undefined ? [] : validateLifecycle(lifecycle, context, at.child('lifecycle'))),
      ...validateProbes(container, context, at),
      ...validateRestartPolicy(container, at),
    ];
  });
  return [...errors, ...validateHostPorts(containers, path)];
}

export function validateInitContainers(
  containers: readonly Container[],
  others: readonly Container[],
  context: ContainerContext,
  path: FieldPath,
): FieldError[] {
  const names = new Set(others.map(({ name = '' }) => name));
  return containers.flatMap((container, index) => {
    const at = path.index(index);
    const { name = '' } = container;
    const errors = [...validateContainer(container, context, at), ...validateRestartPolicy(container, at)];
    if (names.has(name)) errors.push(fieldErrors.duplicate(at.child('name'), name));
    else if (name !== '') names.add(name);
    return [
      ...errors,
      ...validateHostPorts([container], path),
      ...(isSidecar(container)
        ? validateSidecar(container, context, at)
        : validateOrdinaryInit(container, at)),
    ];
  });
}

const validateSidecar = (container: Container, context: ContainerContext, path: FieldPath): FieldError[] => [
  ...(container.lifecycle === undefined
    ? []
    : validateLifecycle(container.lifecycle, context, path.child('lifecycle'))),
  ...validateProbes(container, context, path),
];

const WHILE_RUNNING = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

function validateOrdinaryInit(container: Container, path: FieldPath): FieldError[] {
  const errors = WHILE_RUNNING.filter((field) => container[field] !== undefined).map((field) =>
    fieldErrors.forbidden(
      path.child(field),
      'may not be set for init containers without restartPolicy=Always',
    ),
  );
  for (const [index, { restartPolicy }] of (container.resizePolicy ?? []).entries()) {
    if (restartPolicy !== 'RestartContainer') continue;
    const why = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    const at = path.child('resizePolicy').index(index).child('restartPolicy');
    errors.push(fieldErrors.invalid(at, restartPolicy, why));
  }
  return errors;
}

/** In the order of the Go struct. */
const NOT_EPHEMERAL = [
  ...['ports', 'resources', 'resizePolicy', 'restartPolicy', 'restartPolicyRules', 'livenessProbe'],
  ...['readinessProbe', 'startupProbe', 'lifecycle'],
] as const;

export function validateEphemeralContainers(
  containers: readonly Container[],
  others: readonly Container[],
  context: ContainerContext,
  path: FieldPath,
): FieldError[] {
  const targets = new Set(others.map(({ name }) => name));
  const names = new Set(targets);
  return containers.flatMap((container, index) => {
    const at = path.index(index);
    const { name = '', targetContainerName: target = '' } = container;
    const errors = [...validateContainer(container, context, at), ...validateImageOfPod(container, at)];
    if (names.has(name)) errors.push(fieldErrors.duplicate(at.child('name'), name));
    names.add(name);
    if (target !== '' && !targets.has(target))
      errors.push(fieldErrors.notFound(at.child('targetContainerName'), target));
    const refuse = (where: FieldPath) =>
      fieldErrors.forbidden(where, 'cannot be set for an Ephemeral Container');
    for (const field of NOT_EPHEMERAL) if (isSet(container[field])) errors.push(refuse(at.child(field)));
    for (const [i, { subPath, subPathExpr }] of (container.volumeMounts ?? []).entries()) {
      const mount = at.child('volumeMounts').index(i);
      if (subPath) errors.push(refuse(mount.child('subPath')));
      if (subPathExpr) errors.push(refuse(mount.child('subPathExpr')));
    }
    return errors;
  });
}

const isSet = (value: unknown): boolean =>
  value !== undefined && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** Pods are stricter than templates. */
export const validateImageOfPod = ({ image = '' }: Container, path: FieldPath): FieldError[] =>
  image.trim() === image
    ? []
    : [fieldErrors.invalid(path.child('image'), image, 'must not have leading or trailing whitespace')];

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

function validateContainer(container: Container, context: ContainerContext, path: FieldPath): FieldError[] {
  const { name = '' } = container;
  const at = (field: string): FieldPath => path.child(field);
  return [
    ...(name === '' ? [fieldErrors.required(at('name'))] : validateLabelText(name, at('name'))),
    ...requireText(container.image, at('image')),
    ...validateChoice(container.terminationMessagePolicy, MESSAGE_POLICIES, at('terminationMessagePolicy')),
    ...validatePorts(container.ports ?? [], at('ports')),
    ...validateEnv(container.env ?? [], at('env')),
    ...validateEnvFrom(container.envFrom ?? [], at('envFrom')),
    ...validateMounts(container, context.volumes, at('volumeMounts')),
    ...validateDevices(container, context.volumes, at('volumeDevices')),
    ...validateChoice(container.imagePullPolicy, PULL_POLICIES, at('imagePullPolicy')),
    ...validateContainerResources(container.resources ?? {}, context.claims, at('resources')),
    ...validateResizePolicy(container.resizePolicy ?? [], context.restartPolicy, at('resizePolicy')),
    ...validateSecurityContext(container.securityContext, at('securityContext'), context.hostUsers),
  ];
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

function validatePorts(ports: readonly ContainerPort[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap(({ name = '', containerPort = 0, hostPort = 0, protocol }, index) => {
    const at = path.index(index);
    const errors = name === '' ? [] : validatePortName(name, at.child('name'));
    if (name !== '' && errors.length === 0) {
      if (names.has(name)) errors.push(fieldErrors.duplicate(at.child('name'), name));
      names.add(name);
    }
    return [
      ...errors,
      ...(containerPort === 0
        ? [fieldErrors.required(at.child('containerPort'))]
        : validatePortNumberAt(containerPort, at.child('containerPort'))),
      ...(hostPort === 0 ? [] : validatePortNumberAt(hostPort, at.child('hostPort'))),
      ...validateChoice(protocol, PROTOCOLS, at.child('protocol')),
    ];
  });
}

function validateHostPorts(containers: readonly Container[], path: FieldPath): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ protocol = '', hostIP = '', hostPort }, i) => {
      if (!hostPort) return [];
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) {
        const at = path.index(index).child('ports').index(i).child('hostPort');
        return [fieldErrors.duplicate(at, key)];
      }
      taken.add(key);
      return [];
    }),
  );
}

const RESIZED = ['cpu', 'memory'];
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer'];

/** Errors have the path of the list, as upstream. */
function validateResizePolicy(
  policies: NonNullable<Container['resizePolicy']>,
  ofPod: string | undefined,
  path: FieldPath,
): FieldError[] {
  const seen = new Set<string>();
  return policies.flatMap(({ resourceName = '', restartPolicy = '' }, index) => {
    const errors = seen.has(resourceName) ? [fieldErrors.duplicate(path.index(index), resourceName)] : [];
    seen.add(resourceName);
    errors.push(...validateChoice(resourceName, RESIZED, path));
    errors.push(...validateChoice(restartPolicy, RESIZE_POLICIES, path));
    if (ofPod === 'Never' && restartPolicy !== 'NotRequired') {
      const why = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
      errors.push(fieldErrors.invalid(path, restartPolicy, why));
    }
    return errors;
  });
}

const RESTART_POLICIES = ['Always', 'Never', 'OnFailure'];
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;

function validateRestartPolicy({ restartPolicy, restartPolicyRules = [] }: Container, path: FieldPath) {
  const at = path.child('restartPolicy');
  const errors: FieldError[] = [];
  if (restartPolicy === undefined) {
    if (restartPolicyRules.length === 0) return errors;
    errors.push(fieldErrors.required(at, 'must specify restartPolicy when restart rules are used'));
  } else if (!RESTART_POLICIES.includes(restartPolicy))
    errors.push(fieldErrors.notSupported(at, restartPolicy, RESTART_POLICIES));
  const rules = path.child('restartPolicyRules');
  if (restartPolicyRules.length > MAX_RULES)
    errors.push(fieldErrors.tooMany(rules, restartPolicyRules.length, MAX_RULES));
  return [...errors, ...restartPolicyRules.flatMap((rule, index) => validateRule(rule, rules.index(index)))];
}

function validateRule({ action = '', exitCodes }: RestartRule, path: FieldPath): FieldError[] {
  const actions = ['Restart', 'RestartAllContainers'];
  const errors = actions.includes(action)
    ? []
    : [fieldErrors.notSupported(path.child('action'), action, actions)];
  if (exitCodes === undefined)
    return [...errors, fieldErrors.required(path.child('exitCodes'), 'must be specified')];
  const { operator = '', values = [] } = exitCodes;
  const at = path.child('exitCodes');
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(fieldErrors.notSupported(at.child('operator'), operator, ['In', 'NotIn']));
  if (values.length > MAX_EXIT_CODES)
    errors.push(fieldErrors.tooMany(at.child('values'), values.length, MAX_EXIT_CODES));
  return errors;
}
