import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { useClient } from '../../app/session';
import { saveFile } from '../../lists/export/save-file';
import { T } from '../../texts';
import { Button, Trouble } from '../../ui/parts';
import type { Invoice } from './model';

const FORMS = ['pdf', 'html', 'ubl', 'cii'] as const;
type Form = (typeof FORMS)[number];

/** Saves the document as a file. A link could not: the keys are in the headers of the request. */
export function Downloads({ invoice: { _id: id, number } }: { readonly invoice: Invoice }): ReactNode {
  const client = useClient();
  const read = (form: Form): Promise<Blob> => {
    const path = { id };
    switch (form) {
      case 'pdf':
        return client.get('/invoices/{id}.pdf', { params: { path } });
      case 'html':
        return client.get('/invoices/{id}.html', { params: { path } });
      case 'ubl':
      case 'cii':
        return client.get('/invoices/{id}.xml', { params: { path, query: { syntax: form } } });
    }
  };
  const saving = useMutation({
    mutationFn: read,
    onSuccess: (bytes, form) => saveFile(bytes, fileName(number, form)),
  });
  return (
    <>
      {FORMS.map((form) => (
        <Button
          key={form}
          primary={form === 'pdf'}
          busy={saving.isPending && saving.variables === form}
          onClick={() => saving.mutate(form)}
        >
          {T.invoice.downloads[form]}
        </Button>
      ))}
      <Trouble error={saving.error} />
    </>
  );
}

/** A prefix of numbers may contain slashes. */
function fileName(number: string, form: Form): string {
  const extension = form === 'ubl' || form === 'cii' ? `${form}.xml` : form;
  return `${number.replaceAll('/', '-')}.${extension}`;
}
