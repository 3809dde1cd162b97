// The client config of a webhook: a URL or a service. The texts are upstream's, including a confusion of name
// and namespace.

import { parseGoUrl, validateDns1123Subdomain, validatePortNumber } from '@instar/go';
import { type FieldError, fieldErrors } from '../field/error.ts';
import type { FieldPath } from '../field/path.ts';

/** `clientConfig`: where a webhook is called and which certificates are trusted. */
export interface WebhookClientConfig {
  url?: string;
  service?: { namespace: string; name: string; path?: string; port?: number };
  caBundle?: string;
}

/** What is invalid in the `clientConfig` of a webhook. */
export function validateWebhookClient({ url, service }: WebhookClientConfig, path: FieldPath): FieldError[] {
  if (url !== undefined && service === undefined) return validateWebhookUrl(url, path.child('url'));
  if (url === undefined && service !== undefined)
    return validateWebhookService(service, path.child('service'));
  return [fieldErrors.required(path, 'exactly one of url or service is required')];
}

const FORM = '; desired format: https://host[/path]';

function validateWebhookUrl(text: string, path: FieldPath): FieldError[] {
  const url = parseGoUrl(text);
  if (typeof url === 'string') return [fieldErrors.required(path, `url must be a valid URL: ${url}${FORM}`)];
  const errors: FieldError[] = [];
  if (url.scheme !== 'https')
    errors.push(fieldErrors.invalid(path, url.scheme, `'https' is the only allowed URL scheme${FORM}`));
  if (url.host === '') errors.push(fieldErrors.invalid(path, '', `host must be specified${FORM}`));
  if (url.userinfo !== undefined)
    errors.push(fieldErrors.invalid(path, url.userinfo, 'user information is not permitted in the URL'));
  if (url.fragment !== '')
    errors.push(fieldErrors.invalid(path, url.fragment, 'fragments are not permitted in the URL'));
  if (url.query !== undefined && url.query !== '')
    errors.push(fieldErrors.invalid(path, url.query, 'query parameters are not permitted in the URL'));
  return errors;
}

function validateWebhookService(
  service: NonNullable<WebhookClientConfig['service']>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  // Upstream passes the two in the wrong order, so that each is reported under the other's name.
  if (service.namespace === '') errors.push(fieldErrors.required(path.child('name')));
  if (service.name === '') errors.push(fieldErrors.required(path.child('namespace')));
  const { port = 443 } = service;
  const reasons = validatePortNumber(port);
  if (reasons.length > 0)
    errors.push(fieldErrors.invalid(path.child('port'), port, `port is not valid: ${reasons.join(', ')}`));
  return [...errors, ...validateServicePath(service.path ?? '', path.child('path'))];
}

function validateServicePath(text: string, path: FieldPath): FieldError[] {
  if (text === '' || text === '/') return [];
  if (text === '//') return [fieldErrors.invalid(path, text, 'segment[0] may not be empty')];
  const errors = text.startsWith('/') ? [] : [fieldErrors.invalid(path, text, "must start with a '/'")];
  const segments = text.slice(1).replace(/\/$/, '').split('/');
  segments.forEach((segment, index) => {
    if (segment === '') errors.push(fieldErrors.invalid(path, text, `segment[${index}] may not be empty`));
    else
      for (const reason of validateDns1123Subdomain(segment))
        errors.push(fieldErrors.invalid(path, text, `segment[${index}]: ${reason}`));
  });
  return errors;
}
