// What programs that run a server need. Everything else is the server's own.
export { INSTAR_VERSION, VERSION_INFO } from './health/version.ts';
export { createLog, type LogLevel, type LogOptions } from './log/create-log.ts';
export { type Log, SILENT } from './log/log.ts';
export { DEFAULT_LIMITS, type Limits, type ServerOptions } from './options.ts';
export { type RunningServer, startServer } from './server.ts';
export { type CertificateAndKey, createCa, createLeaf, type LeafOptions, type Subject } from './tls/certificate.ts';
export { writePrivateFile } from './tls/private-file.ts';
