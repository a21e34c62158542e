import { updateBody } from '@commerce/records';

import { CompanyRecord } from './company.record.js';

/** The settings that an admin changes; the others are the operator's. */
export class UpdateCompanyBody extends updateBody(CompanyRecord, ['seller', 'tax', 'customers']) {}
