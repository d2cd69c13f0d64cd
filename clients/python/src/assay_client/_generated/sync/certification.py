# Written by `npm run generate` from src/core/api. Change it there.

from __future__ import annotations


from ...calls import Calls
from ...options import CallOptions, OMITTED, Omitted
from ...pages import Page
from ..types.certification import (
    CertificationDryRun,
    CertificationPolicyDifference,
    CertificationPolicyInput,
    CertificationReport,
    ListCertificationKeysAnswer,
    SavedCertificationPolicy,
    SigningKey,
)
from ..types.shared import (
    Export,
)


class CertificationOperations:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def list_policies(
        self,
        *,
        project_id: str,
        limit: int | Omitted = OMITTED,
        cursor: str | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Page[SavedCertificationPolicy]:
        """List the versions of a project’s certification policy, newest first.

        A version never changes. Before the first is saved the default policy of the project’s
        target profile is in effect, without a version.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("list_certification_policies", {"project_id": project_id, "limit": limit, "cursor": cursor}, options)

    def create_policy(
        self,
        *,
        project_id: str,
        body: CertificationPolicyInput,
        options: CallOptions | None = None,
    ) -> SavedCertificationPolicy:
        """Save a new version of a project’s certification policy.

        The service assigns the next version, also to two that are saved at once. The hash of the
        policy goes into the audit log.

        Needs the role `reviewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("create_certification_policy", {"project_id": project_id, "body": body}, options, whole_body=True)

    def diff_policies(
        self,
        *,
        project_id: str,
        from_: int | Omitted = OMITTED,
        to: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CertificationPolicyDifference:
        """Compare two versions of a project’s policy.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("diff_certification_policies", {"project_id": project_id, "from": from_, "to": to}, options)

    def dry_run_policy(
        self,
        *,
        project_id: str,
        body: CertificationPolicyInput,
        options: CallOptions | None = None,
    ) -> CertificationDryRun:
        """Preview what a policy would change, without saving it.

        Holds the project’s episodes against the policy in effect and against this one.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("dry_run_certification_policy", {"project_id": project_id, "body": body}, options, whole_body=True)

    def get_report(
        self,
        *,
        project_id: str,
        policy_version: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> CertificationReport:
        """Get the certification report of a project’s episodes as they are now.

        The same evidence and policy give the same bytes; the entity tag is the hash of both. A
        report over more episodes than a request may wait for is read from the bundle that `POST
        …/export` seals.

        Needs the role `viewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("get_certification_report", {"project_id": project_id, "policy_version": policy_version}, options)

    def export(
        self,
        *,
        project_id: str,
        policy_version: int | Omitted = OMITTED,
        options: CallOptions | None = None,
    ) -> Export:
        """Seal report, policy and receipts into a bundle among the project’s exports.

        The bundle is made in the background, signed with the tenant’s key, and downloaded as any
        export: `GET …/exports/{export_id}/download?as=zip` is the bundle that `assay verify` takes.
        It holds no media. The same evidence under the same policy is sealed once. A default policy
        that nobody has saved is saved as the next version.

        Needs the role `reviewer`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("export_certification", {"project_id": project_id, "policy_version": policy_version}, options)

    def import_report(
        self,
        *,
        project_id: str,
        body: CertificationReport,
        options: CallOptions | None = None,
    ) -> Export:
        """Seal a report that was made elsewhere into a bundle.

        Takes the `report.json` that `assay certify --project` wrote. Its project must be this one,
        its policy one of this project’s versions, and its content what its hash says. The bundle’s
        manifest says `local_report_import`: nothing here has measured it.

        Needs the role `admin`.

        project_id: id, `prj_` and a time-ordered UUID in base32
        """
        return self._calls.call("import_certification_report", {"project_id": project_id, "body": body}, options, whole_body=True)

    def list_keys(
        self,
        *, options: CallOptions | None = None,
    ) -> ListCertificationKeysAnswer:
        """List the public keys that the tenant’s bundles are and were signed by.

        Needs the role `viewer`.
        """
        return self._calls.call("list_certification_keys", {}, options)

    def rotate_key(
        self,
        *, options: CallOptions | None = None,
    ) -> SigningKey:
        """Replace the key that the tenant’s bundles are signed by.

        The private half of the old key is destroyed; its public half stays listed, so that what it
        signed verifies as before.

        Needs the role `admin`.
        """
        return self._calls.call("rotate_certification_key", {}, options)
