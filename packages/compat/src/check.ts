// check(old, new): what a change of a definition breaks. Pure: no I/O, no clock; the same result in every
// run.
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '@instar/crd';
import type { JsonObject, JsonValue } from '@instar/machinery';
import { checkSchemas } from './check-schemas.ts';
import { definitionOf } from './definition/normal-form.ts';
import { unhandledKeys } from './definition/unhandled.ts';
import { memoizingJudge } from './evidence/judge-rules.ts';
import { valuesAt } from './evidence/values-at.ts';
import { compareSeverity, type Finding } from './finding.ts';
import { findingOf } from './finding-of.ts';
import { newlyRefusedRules } from './refused-rules.ts';
import { DEFINITION_RULES, VERSION_RULES } from './rules/index.ts';
import { crdAdded, crdRemoved, malformed, ruleRefused, unhandled } from './rules/reported.ts';
import { checkServedVersions } from './served-versions.ts';
import type { PairContext } from './walk/node-pair.ts';

/** Options of a check. */
export interface CheckOptions {
  /** False: changed rules are not run on generated values but reported as unsure. */
  readonly evidence?: boolean;
  /** Paths of enums that are open, although their descriptions do not say so: spec.type; * is all. */
  readonly openEnums?: readonly string[];
  /** Existing objects, of any version: changed rules are run on their values, besides generated ones. */
  readonly objects?: readonly JsonObject[];
  /** A webhook converts the objects, although the new definition does not say so. */
  readonly converted?: boolean;
  /** False: the versions that the new definition serves side by side are not compared. */
  readonly servedVersions?: boolean;
}

type Definition = CustomResourceDefinition | JsonObject;

/** Each is a CustomResourceDefinition in v1 or v1beta1, as it was parsed; undefined if there is none. */
export function check(
  old: Definition | undefined,
  next: Definition | undefined,
  options: CheckOptions = {},
): Finding[] {
  const was = old === undefined ? undefined : definitionOf(old as JsonValue);
  const faults: string[] = [];
  const is = next === undefined ? undefined : definitionOf(next as JsonValue, faults);
  return compareDefinitions(was, is, { ...options, faults });
}

/** The same of what `definitionOf` returned, with the faults that it found in the new definition. */
export function compareDefinitions(
  was: CustomResourceDefinition | undefined,
  is: CustomResourceDefinition | undefined,
  { faults, ...options }: CheckOptions & { readonly faults: readonly string[] },
): Finding[] {
  if (was === undefined || is === undefined) return was === is ? [] : [presence(was, is)];
  const context: PairContext = {
    judgeRules: options.evidence === false ? () => undefined : memoizingJudge(),
    openEnums: new Set(options.openEnums ?? []),
    ...(options.converted === true && { converted: true }),
    given: () => [],
  };
  const given = (version: string): PairContext['given'] => {
    const objects = (options.objects ?? []).filter(
      ({ apiVersion }) => apiVersion === `${is.spec.group}/${version}`,
    );
    return objects.length === 0 ? context.given : (path) => valuesAt(objects, path);
  };
  const findings = [
    ...checkDefinition(was, is),
    ...faults.map((path) =>
      findingOf(
        malformed,
        { severity: 'unsure', message: 'has the wrong type, and was ignored by the check' },
        is,
        'definition',
        {
          path,
        },
      ),
    ),
    ...sameVersions(was, is).flatMap(([before, after]) =>
      checkVersion(was, is, before, after, { ...context, given: given(after.name) }),
    ),
    ...(options.servedVersions === false ? [] : checkServedVersions(was, is, context)),
  ];
  return findings.sort((a, b) => compareSeverity(a.severity, b.severity));
}

function presence(
  was: CustomResourceDefinition | undefined,
  is: CustomResourceDefinition | undefined,
): Finding {
  const rule = is === undefined ? crdRemoved : crdAdded;
  const message =
    is === undefined ? 'the definition was removed, and with it every object' : 'the definition was added';
  return findingOf(rule, { severity: rule.severity, message }, (is ?? was)!, 'definition');
}

function checkDefinition(was: CustomResourceDefinition, is: CustomResourceDefinition): Finding[] {
  const found = DEFINITION_RULES.flatMap((rule) =>
    rule
      .compare(was, is)
      .map(({ version, ...change }) =>
        findingOf(rule, change, is, 'definition', version === undefined ? {} : { version }),
      ),
  );
  const unknown = unhandledKeys(was, is).map((key) =>
    findingOf(unhandled, { severity: 'unsure', message: `${key} changed` }, is, 'definition', { path: key }),
  );
  return [...found, ...unknown];
}

type VersionPair = readonly [CustomResourceDefinitionVersion, CustomResourceDefinitionVersion];

function sameVersions(was: CustomResourceDefinition, is: CustomResourceDefinition): VersionPair[] {
  return is.spec.versions.flatMap((after): VersionPair[] => {
    const before = was.spec.versions.find(({ name }) => name === after.name);
    return before === undefined ? [] : [[before, after]];
  });
}

function checkVersion(
  definition: CustomResourceDefinition,
  crd: CustomResourceDefinition,
  before: CustomResourceDefinitionVersion,
  after: CustomResourceDefinitionVersion,
  context: PairContext,
): Finding[] {
  const version = after.name;
  const ofVersion = VERSION_RULES.flatMap((rule) =>
    rule
      .compare(before, after, definition)
      .map((change) => findingOf(rule, change, crd, 'same-version', { version })),
  );
  const [was, is] = [before, after].map(({ schema }) => schema?.openAPIV3Schema);
  if (was === undefined || is === undefined) return ofVersion;
  const ofSchema = checkSchemas(was, is, context).map(({ rule, change, path }) =>
    findingOf(rule, change, crd, 'same-version', { version, path }),
  );
  const refused = newlyRefusedRules(was, is).map(({ change, path }) =>
    findingOf(ruleRefused, change, crd, 'same-version', { version, path }),
  );
  // Changes of a version that is not served break no client.
  return [...ofVersion, ...refused, ...(before.served || after.served ? ofSchema : ofSchema.map(asUnserved))];
}

function asUnserved(finding: Finding): Finding {
  return finding.severity === 'safe'
    ? finding
    : { ...finding, severity: 'caution', message: `${finding.message} (the version is not served)` };
}
