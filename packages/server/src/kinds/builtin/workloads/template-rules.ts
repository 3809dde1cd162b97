// What all kinds with a template of pods do with it besides validating it.
import { FieldPath, type KubeObject } from '@instar/machinery';
import type { Strategy } from '../../../objects/definition.ts';
import type { PodTemplateSpec } from '../../validate/pod/pod-types.ts';
import { dropDisabledFields } from '../pod/disabled-fields.ts';
import { podTemplateWarnings } from '../pod/pod-warnings.ts';
import { nameWarnings } from './name-warning.ts';

type TemplateOf = (object: KubeObject) => PodTemplateSpec | undefined;

const templateOfSpec: TemplateOf = (object) =>
  (object['spec'] as { template?: PodTemplateSpec } | undefined)?.template;

/** Preparation that drops from the template what features that are off would need. */
export function withoutDisabledFields(
  strategy: Required<Pick<Strategy, 'prepareForCreate' | 'prepareForUpdate'>>,
  templateOf: TemplateOf = templateOfSpec,
): Required<Pick<Strategy, 'prepareForCreate' | 'prepareForUpdate'>> {
  const drop = (object: KubeObject, old?: KubeObject): void => {
    const template = templateOf(object);
    if (template !== undefined) dropDisabledFields(template.spec, old && templateOf(old)?.spec);
  };
  return {
    prepareForCreate(object, context) {
      drop(object);
      strategy.prepareForCreate(object, context);
    },
    prepareForUpdate(object, old, context) {
      drop(object, old);
      strategy.prepareForUpdate(object, old, context);
    },
  };
}

const TEMPLATE = FieldPath.of('spec', 'template');

/** Warnings for the template; of an update, only if it raises the generation. */
export function templateWarnings(
  object: KubeObject,
  old: KubeObject | undefined,
  subresource: string,
  path = TEMPLATE,
  templateOf: TemplateOf = templateOfSpec,
): string[] {
  const template = templateOf(object);
  const isChanged = old === undefined || old.metadata.generation !== object.metadata.generation;
  return subresource === 'status' || template === undefined || !isChanged
    ? []
    : podTemplateWarnings(template, path);
}

/** Of kinds whose names become those of pods. */
export const namedTemplateWarnings: Required<Strategy>['warnings'] = (object, old, { subresource }) => [
  ...(old === undefined ? nameWarnings(object) : []),
  ...templateWarnings(object, old, subresource),
];
