// What servers of HTTPS and their clients share: the listener and its exchanges, certificates, metrics, the
// log, the work queue, backoff, leader election.
export { type AnswerHeaders, Exchange } from './exchange/exchange.ts';
export { type BodyConsumer, isAnnouncedBeyond, readBody } from './exchange/read-body.ts';
export type { Upgrade } from './exchange/upgrade.ts';
export { type ElectionTimes, LeaderElector, type LeaderElectorOptions } from './leader/leader-elector.ts';
export type { LeaseSpec } from './leader/lease.ts';
export type { HeldLease, LeaseCall, LeaseLock } from './leader/lease-lock.ts';
export { TlsListener } from './listen/tls-listener.ts';
export { createLog, type LogLevel } from './log/create-log.ts';
export { type Log, SILENT } from './log/log.ts';
export { BodyParts } from './memory/body-parts.ts';
export { SpareMemory } from './memory/spare-memory.ts';
export { addProcessMetrics } from './metrics/process-metrics.ts';
export {
  type Counter,
  type Gauge,
  type Histogram,
  type HistogramSeries,
  MetricsRegistry,
  type Series,
} from './metrics/registry.ts';
export { WorkQueue } from './queue/work-queue.ts';
export { Backoff } from './time/backoff.ts';
export { BACKGROUND_CLOCK, type Clock, REAL_CLOCK, sleep } from './time/clock.ts';
export { kubeconfigText, openAdminToken } from './tls/admin-credential.ts';
export {
  type CertificateAndKey,
  createCa,
  createLeaf,
  createRequest,
} from './tls/certificate.ts';
export { type CertificateRequest, parseCertificateRequest } from './tls/certificate-request.ts';
export { inUrl, reachableAddress, servingHosts } from './tls/hosts.ts';
export { isIssuedBy } from './tls/issued-by.ts';
export { makeDirectory } from './tls/make-directory.ts';
export type { NamedCertificateFiles } from './tls/named-certificates.ts';
export { coversHosts, ephemeralPki } from './tls/own-pki.ts';
export { PemFileError, readCertificates, readNamed, readPrivateKey } from './tls/pem-file.ts';
export { writePrivateFile } from './tls/private-file.ts';
export {
  checkPair,
  openServingTls,
  type ServingTls,
  whenChanged,
} from './tls/serving-tls.ts';
export { signRequest } from './tls/sign-request.ts';
