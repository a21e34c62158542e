export type { Check } from './checks/check.js';
export { CHECKS } from './checks/checks.js';
export type { Finding } from './checks/finding.js';
export { Walk } from './checks/walk.js';
export { CheckupRecord } from './checkups/checkup.record.js';
export { Checkups } from './checkups/checkups.service.js';
export { CheckupsModule, DoctorModule } from './doctor.module.js';
