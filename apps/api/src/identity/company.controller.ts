import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Images } from '@commerce/catalog';
import { Companies, CompanyRecord, UpdateCompanyBody } from '@commerce/identity';
import type { Caller } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { InOneCommit } from '../http/idempotency/idempotency.notes.js';
import { Put } from '../http/methods.js';
import { BodyOf, Calling } from '../http/params.js';

@ApiTags('company')
@Controller('company')
@InOneCommit()
export class CompanyController {
  constructor(
    private readonly companies: Companies,
    private readonly images: Images,
  ) {}

  @Describe('Retrieve the company', 'The company of the key, and its settings.')
  @Get()
  @AdminOnly()
  @Answers(CompanyRecord)
  get(@Calling() { company }: Caller): Promise<CompanyRecord> {
    return this.companies.get(company);
  }

  @Describe(
    'Update the company',
    'Sets the seller, which invoices name: from then on each payment that succeeds gets an invoice, and each refund a credit note. `null` ends that; what was issued stays. Sets how `tax` is found, and what `customers` may do by themselves. The other settings are the operator’s.',
  )
  @Put()
  @AdminOnly()
  @Answers(CompanyRecord)
  @Faults(
    'image.unknown',
    'tax.seller_required',
    'tax.seller_outside_eu',
    'tax.vat_id_required',
    'vat_id.invalid',
  )
  async update(
    @Calling() { company }: Caller,
    @BodyOf(UpdateCompanyBody) body: UpdateCompanyBody,
  ): Promise<CompanyRecord> {
    const logo = body.seller?.logo ?? null;
    if (logo !== null) await this.images.keepForInvoices(company, logo, 'seller.logo');
    return this.companies.update(company, body);
  }
}
