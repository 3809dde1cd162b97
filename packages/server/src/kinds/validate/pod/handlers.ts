// Probes and hooks of containers.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import type { Container, Handler, HttpGet, Lifecycle, Probe } from './pod-types.ts';
import { isNotNegative, validatePortNumberOrName } from './values.ts';

/** What the handlers of a container depend on. */
export interface HandlerContext {
  readonly gracePeriod: number | undefined;
  readonly os: string | undefined;
}

export function validateProbes(
  { livenessProbe, readinessProbe, startupProbe }: Container,
  context: HandlerContext,
  path: FieldPath,
): FieldError[] {
  return [
    ...validateOnceProbe(livenessProbe, context, path.child('livenessProbe')),
    ...validateReadinessProbe(readinessProbe, context, path.child('readinessProbe')),
    ...validateOnceProbe(startupProbe, context, path.child('startupProbe')),
  ];
}

/** One success suffices. */
function validateOnceProbe(probe: Probe | undefined, context: HandlerContext, path: FieldPath): FieldError[] {
  if (probe === undefined) return [];
  const errors = validateProbe(probe, context, path);
  if (probe.successThreshold !== 1)
    errors.push(
      fieldErrors.invalid(path.child('successThreshold'), probe.successThreshold ?? 0, 'must be 1'),
    );
  return errors;
}

function validateReadinessProbe(
  probe: Probe | undefined,
  context: HandlerContext,
  path: FieldPath,
): FieldError[] {
  if (probe === undefined) return [];
  const errors = validateProbe(probe, context, path);
  const seconds = probe.terminationGracePeriodSeconds;
  if (seconds !== undefined) {
    errors.push(
      fieldErrors.invalid(
        path.child('terminationGracePeriodSeconds'),
        seconds,
        'must not be set for readinessProbes',
      ),
    );
  }
  return errors;
}

const NUMBERS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function validateProbe(probe: Probe, context: HandlerContext, path: FieldPath): FieldError[] {
  const { terminationGracePeriodSeconds: seconds } = probe;
  return [
    ...validateHandler(probe, context, path),
    ...NUMBERS.flatMap((name) => isNotNegative(probe[name], path.child(name))),
    ...(seconds !== undefined && seconds <= 0
      ? [fieldErrors.invalid(path.child('terminationGracePeriodSeconds'), seconds, 'must be greater than 0')]
      : []),
  ];
}

export function validateLifecycle(
  { postStart, preStop }: Lifecycle,
  context: HandlerContext,
  path: FieldPath,
): FieldError[] {
  return [
    ...(postStart === undefined ? [] : validateHandler(postStart, context, path.child('postStart'))),
    ...(preStop === undefined ? [] : validateHandler(preStop, context, path.child('preStop'))),
  ];
}

type HandlerName = 'exec' | 'httpGet' | 'tcpSocket' | 'grpc' | 'sleep';
const HANDLERS: readonly HandlerName[] = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];

function validateHandler(handler: Handler, context: HandlerContext, path: FieldPath): FieldError[] {
  const [first, ...others] = HANDLERS.filter((name) => handler[name] !== undefined);
  if (first === undefined) return [fieldErrors.required(path, 'must specify a handler type')];
  return [
    ...validateAction(handler, first, context, path.child(first)),
    ...others.map((name) =>
      fieldErrors.forbidden(path.child(name), 'may not specify more than 1 handler type'),
    ),
  ];
}

function validateAction(
  handler: Handler,
  name: HandlerName,
  { gracePeriod }: HandlerContext,
  path: FieldPath,
): FieldError[] {
  switch (name) {
    case 'exec':
      return (handler.exec!.command ?? []).length > 0 ? [] : [fieldErrors.required(path.child('command'))];
    case 'httpGet':
      return validateHttpGet(handler.httpGet!, path);
    case 'tcpSocket':
      return validatePortNumberOrName(handler.tcpSocket!.port, path.child('port'));
    case 'grpc':
      return validatePortNumberOrName(handler.grpc!.port, path.child('port'));
    case 'sleep':
      return validateSleep(handler.sleep!.seconds, gracePeriod, path);
  }
}

const HEADER_NAME = /^[-A-Za-z0-9]+$/;
const HEADER_FAULT =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

function validateHttpGet({ path: url = '', port, scheme = '', httpHeaders }: HttpGet, path: FieldPath) {
  const errors = url === '' ? [fieldErrors.required(path.child('path'))] : [];
  errors.push(...validatePortNumberOrName(port, path.child('port')));
  if (scheme !== 'HTTP' && scheme !== 'HTTPS')
    errors.push(fieldErrors.notSupported(path.child('scheme'), scheme, ['HTTP', 'HTTPS']));
  for (const { name } of httpHeaders ?? [])
    if (!HEADER_NAME.test(name))
      errors.push(fieldErrors.invalid(path.child('httpHeaders'), name, HEADER_FAULT));
  return errors;
}

function validateSleep(seconds: number, gracePeriod: number | undefined, path: FieldPath): FieldError[] {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  const why = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  return [fieldErrors.invalid(path, seconds, why)];
}
