// From the claims of a verified token to a user, by the mappings and rules of its issuer. Throws where the
// token must be refused, in the words of kube-apiserver.
import { CelList, type Value } from '@instar/cel';
import type { JsonObject, JsonValue } from '@instar/machinery';
import type { UserInfo } from '@instar/server';
import { ClaimExpression } from './claim-expressions.ts';
import { claimsValue, nestedValue } from './claim-values.ts';
import type { JwtSettings } from './jwt-settings.ts';

const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

interface Rule {
  readonly expression: ClaimExpression;
  readonly message: string;
}

/** The mappings of one issuer, with their expressions compiled. */
export class ClaimMapper {
  readonly #mappings: JwtSettings['claimMappings'];
  readonly #username: ClaimExpression | undefined;
  readonly #groups: ClaimExpression | undefined;
  readonly #uid: ClaimExpression | undefined;
  readonly #extra: readonly { readonly key: string; readonly expression: ClaimExpression }[];
  readonly #required: readonly (readonly [claim: string, value: string])[];
  readonly #claimRules: readonly Rule[];
  readonly #userRules: readonly Rule[];

  /** The settings must have been validated. */
  constructor({ claimMappings, claimValidationRules = [], userValidationRules = [] }: JwtSettings) {
    this.#mappings = claimMappings;
    const { username, groups, uid, extra = [] } = claimMappings;
    this.#username = mapping(username.expression);
    this.#groups = mapping(groups?.expression);
    this.#uid = mapping(uid?.expression);
    this.#extra = extra.map(({ key, valueExpression }) => ({ key, expression: mapping(valueExpression)! }));
    this.#required = claimValidationRules.flatMap(({ claim = '', requiredValue = '' }) =>
      claim === '' ? [] : [[claim, requiredValue] as const],
    );
    this.#claimRules = rules(claimValidationRules, 'claims');
    this.#userRules = rules(userValidationRules, 'user');
  }

  userOf(claims: JsonObject): UserInfo {
    const value = claimsValue(claims);
    const user: UserInfo = {
      name: this.#name(claims, value),
      groups: this.#groupsOf(claims, value),
      uid: this.#uidOf(claims, value),
      extra: this.#extraOf(claims, value),
    };
    for (const [claim, wanted] of this.#required) checkRequired(claims, claim, wanted);
    check(this.#claimRules, value, 'claim validation expression');
    if (this.#userRules.length > 0) check(this.#userRules, userValue(user), 'user info validation rule');
    return user;
  }

  #name(claims: JsonObject, value: Value): string {
    if (this.#username !== undefined) {
      const name = evaluated(this.#username, value, 'username');
      if (typeof name !== 'string')
        throw new Error(
          'oidc: error evaluating username claim expression: username claim expression must return a string',
        );
      if (name === '') throw new Error('oidc: empty username via CEL expression is not allowed');
      return name;
    }
    const { claim = '', prefix = '' } = this.#mappings.username;
    const name = claims[claim];
    if (!Object.hasOwn(claims, claim) || typeof name !== 'string')
      throw new Error(
        `oidc: parse username claims ${JSON.stringify(claim)}: ${Object.hasOwn(claims, claim) ? 'it is not a string' : 'claim not present'}`,
      );
    if (claim === 'email' && Object.hasOwn(claims, 'email_verified') && claims['email_verified'] !== true)
      throw new Error(
        claims['email_verified'] === false
          ? 'oidc: email not verified'
          : "oidc: parse 'email_verified' claim: it is not a boolean",
      );
    return prefix + name;
  }

  #groupsOf(claims: JsonObject, value: Value): string[] {
    const { claim = '', prefix = '' } = this.#mappings.groups ?? {};
    if (claim !== '' && Object.hasOwn(claims, claim)) {
      const groups = [claims[claim] ?? []].flat();
      if (!groups.every((group) => typeof group === 'string'))
        throw new Error(`oidc: parse groups claim ${JSON.stringify(claim)}: it is not a list of strings`);
      return groups.map((group) => prefix + group);
    }
    if (this.#groups === undefined) return [];
    return textsOf(evaluated(this.#groups, value, 'group'), 'oidc: error evaluating group claim expression');
  }

  #uidOf(claims: JsonObject, value: Value): string {
    const { claim = '' } = this.#mappings.uid ?? {};
    if (claim !== '') {
      const uid = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
      if (typeof uid === 'string') return uid;
      throw new Error(
        `oidc: parse uid claim ${JSON.stringify(claim)}: ${uid === undefined ? 'claim not present' : 'it is not a string'}`,
      );
    }
    if (this.#uid === undefined) return '';
    const uid = evaluated(this.#uid, value, 'uid');
    if (typeof uid === 'string') return uid;
    throw new Error('oidc: error evaluating uid claim expression: uid claim expression must return a string');
  }

  #extraOf(claims: JsonObject, value: Value): Record<string, readonly string[]> {
    const extra: [string, readonly string[]][] = [];
    const { jti } = claims;
    if (typeof jti === 'string' && jti !== '') extra.push([CREDENTIAL_ID, [`JTI=${jti}`]]);
    for (const { key, expression } of this.#extra) {
      const texts = textsOf(
        expression.evaluate(value),
        `oidc: error evaluating extra claim expression: ${expression.text}`,
      );
      if (texts.length > 0) extra.push([key, texts]);
    }
    return Object.fromEntries(extra);
  }
}

function compiled(text: string, variable: 'claims' | 'user', mustBeBool: boolean): ClaimExpression {
  const expression = ClaimExpression.compile(text, variable, mustBeBool);
  if ('fault' in expression) throw new Error(expression.fault);
  return expression;
}

const mapping = (text = ''): ClaimExpression | undefined =>
  text === '' ? undefined : compiled(text, 'claims', false);

const rules = (
  all: readonly { readonly expression?: string; readonly message?: string }[],
  variable: 'claims' | 'user',
): Rule[] =>
  all.flatMap(({ expression = '', message = '' }) =>
    expression === '' ? [] : [{ expression: compiled(expression, variable, true), message }],
  );

function evaluated(expression: ClaimExpression, value: Value, what: string): Value {
  try {
    return expression.evaluate(value);
  } catch (error) {
    throw new Error(`oidc: error evaluating ${what} claim expression: ${(error as Error).message}`);
  }
}

function checkRequired(claims: JsonObject, claim: string, wanted: string): void {
  if (!Object.hasOwn(claims, claim)) throw new Error(`oidc: required claim ${claim} not present in ID token`);
  const value: JsonValue = claims[claim]!;
  if (typeof value !== 'string') throw new Error(`oidc: parse claim ${claim}: it is not a string`);
  if (value !== wanted)
    throw new Error(`oidc: required claim ${claim} value does not match. Got = ${value}, want = ${wanted}`);
}

function check(all: readonly Rule[], value: unknown, what: string): void {
  for (const { expression, message } of all) {
    let holds: Value;
    try {
      holds = expression.evaluate(value);
    } catch (error) {
      throw new Error(`oidc: error evaluating ${what}: ${(error as Error).message}`);
    }
    if (holds !== true)
      throw new Error(
        `oidc: error evaluating ${what}: validation expression '${expression.text}' failed: ${message}`,
      );
  }
}

const userValue = ({ name, uid, groups, extra }: UserInfo): unknown => ({
  username: name,
  uid,
  groups,
  extra: nestedValue(extra as unknown as JsonObject),
});

/** A string, or a list of them; empty ones do not count. */
function textsOf(value: Value, what: string): string[] {
  const values = value instanceof CelList ? itemsOf(value) : value === null ? [] : [value];
  if (values.every((text) => typeof text === 'string')) return values.filter((text) => text !== '');
  throw new Error(`${what}: expression must return a string or a list of strings`);
}

const itemsOf = (list: CelList): Value[] => Array.from({ length: list.size }, (_, index) => list.at(index));
