import { Button } from 'antd';
import { openPath } from '../navigation/open-path.ts';

/** Shown if no page has this address. */
export function NoPage() {
  return (
    <section className="ht-navigation-state">
      <h1>页面不存在</h1>
      <p>地址可能有误，或页面已更名。</p>
      <div className="ht-navigation-state-tools">
        <Button type="primary" onClick={() => openPath('/home')}>
          回到首页
        </Button>
      </div>
    </section>
  );
}

interface Props {
  title: string;
}

/** Shown if the operator may not open the page. */
export function NoPermission({ title }: Props) {
  return (
    <section className="ht-navigation-state">
      <h1>没有权限</h1>
      <p>您的账号没有查看「{title}」的权限，如有需要请联系上级或管理员开通。</p>
    </section>
  );
}
