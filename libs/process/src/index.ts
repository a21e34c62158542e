export { STYLED_IN_PLACE, pagePolicy } from './page-policy.js';
export { START_OPTIONS, runProcess } from './process.js';
export { ProcessModule } from './process.module.js';
export { startOrExplain } from './shutdown.js';
