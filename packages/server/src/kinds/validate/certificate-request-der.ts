// What the validation and the admission of requests for certificates read in them: base64 of PEM.
import { parseCertificateRequest } from '@instar/serving';

const ORGANIZATION = '2.5.4.10';

const pemOf = (request: string): string => Buffer.from(request, 'base64').toString('latin1');

/** Why the request is refused, or undefined. */
export function requestFault(request: string): string | undefined {
  try {
    return parseCertificateRequest(pemOf(request)).signatureFault();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The organizations of the subject, which are the groups of a client certificate. */
export function organizationsOf(request: string): string[] {
  try {
    return parseCertificateRequest(pemOf(request))
      .subject.filter(({ oid }) => oid === ORGANIZATION)
      .map(({ text }) => text);
  } catch {
    return [];
  }
}
