import { matchPage } from '../../pages.ts';
import { usePageRoute } from '../../shell/page-route.ts';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { plans } from './plans.ts';
import './coming.css';

/** Stands where a page will be, says so, and what it will hold. */
export function ComingPage() {
  const { key } = usePageRoute();
  const page = matchPage(key)?.page;
  const plan = page ? plans[page.path] : undefined;
  return (
    <>
      <PageHeading title={page?.title ?? ''} />
      <section className="coming">
        <h2>此页面正在建设</h2>
        <p>功能尚未开放，这里不会显示任何数据。</p>
        {plan && (
          <>
            <p>开放后可以在这里使用：</p>
            <ul>
              {plan.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        )}
      </section>
    </>
  );
}
