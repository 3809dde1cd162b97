/**
 * The environment of Kubernetes 1.36: which libraries an expression may use, in which versions, how literals
 * are checked and what calls cost. It declares no variables: callers add their own with extend().
 */
import {
  validateDurationLiterals,
  validateHomogeneousLiterals,
  validateRegexLiterals,
  validateTimestampLiterals,
} from '../check/validators.ts';
import { Environment } from '../environment.ts';
import { twoVariableLibrary } from '../ext/comprehensions.ts';
import { listsLibrary as extendedListsLibrary } from '../ext/lists.ts';
import { optionalLibrary } from '../ext/optionals.ts';
import { setsLibrary } from '../ext/sets.ts';
import { stringsLibrary } from '../ext/strings.ts';
import { standardLibrary } from '../stdlib/library.ts';
import { kubernetesCosts } from './costs.ts';
import { validateFormatLiterals } from './format-literals.ts';
import { authorizerLibrary } from './libraries/authorizer.ts';
import { cidrLibrary } from './libraries/cidr.ts';
import { durationLibrary } from './libraries/duration.ts';
import { formatLibrary } from './libraries/format.ts';
import { ipLibrary } from './libraries/ip.ts';
import { listsLibrary } from './libraries/lists.ts';
import { quantityLibrary } from './libraries/quantity.ts';
import { regexLibrary } from './libraries/regex.ts';
import { semverLibrary } from './libraries/semver.ts';
import { urlLibrary } from './libraries/url.ts';

let base: Environment | undefined;

/** The one environment, created on first use. */
export function kubernetesEnvironment(): Environment {
  base ??= new Environment({
    libraries: [
      standardLibrary,
      durationLibrary,
      optionalLibrary(),
      stringsLibrary(2),
      setsLibrary,
      twoVariableLibrary,
      extendedListsLibrary(3),
      listsLibrary,
      urlLibrary,
      regexLibrary,
      authorizerLibrary,
      quantityLibrary,
      ipLibrary,
      cidrLibrary,
      formatLibrary,
      semverLibrary,
    ],
    validators: [
      validateDurationLiterals,
      validateTimestampLiterals,
      validateRegexLiterals,
      validateHomogeneousLiterals,
      validateFormatLiterals,
    ],
    costModel: kubernetesCosts,
    quotedFields: false,
  });
  return base;
}
