"""The tables of `collection_homes`: by collection, the short names of its plugins, by kind of plugin."""

from __future__ import annotations

_MODULES = {
    "ansible.posix": """
        acl at authorized_key firewalld firewalld_info mount patch seboolean selinux synchronize sysctl
    """,
    "community.general": """
        alternatives ansible_galaxy_install apache2_mod_proxy apache2_module apk apt_rpm archive bower bundler bzr
        capabilities cargo composer consul consul_kv copr cpanm cronvar datadog_event datadog_monitor dconf discord
        django_manage dnf_versionlock easy_install ejabberd_user etcd3 filesystem filesize flatpak flatpak_remote
        gconftool2 gem git_config github_deploy_key github_key github_release github_webhook gitlab_group
        gitlab_project gitlab_runner gitlab_user haproxy hg homebrew homebrew_cask homebrew_tap htpasswd
        icinga2_host imgadm influxdb_user ini_file interfaces_file ip_netns ipa_group ipa_host ipa_user
        iptables_state irc java_cert java_keystore jboss jenkins_job jenkins_plugin jenkins_script jira
        kernel_blacklist keycloak_client keycloak_realm keycloak_user launchd layman ldap_attrs ldap_entry
        ldap_passwd listen_ports_facts locale_gen logentries lvg lvol lxc_container lxd_container lxd_profile
        macports mail make mattermost maven_artifact modprobe monit mqtt nagios netcup_dns newrelic_deployment nmcli
        nomad_job nosh npm nsupdate odbc ohai open_iscsi opendj_backendprop openbsd_pkg opkg osx_defaults
        pacemaker_cluster pacman pagerduty pam_limits pamd parted pear pids pipx pkg5 pkgin pkgng pkgutil pnpm portage
        portinstall pritunl_user puppet pushover python_requirements_info rax redfish_command redfish_config
        redfish_info redhat_subscription redis redis_info rhn_register rhsm_release rhsm_repository rocketchat
        rollbar_deployment rpm_ostree_pkg runit say sefcontext selinux_permissive selogin sendgrid sensu_check
        seport shutdown slack slackpkg snap snap_alias snmp_facts solaris_zone sorcery ssh_config sudoers
        supervisorctl svc svr4pkg swdepot swupd syspatch sysupgrade syslogger sysrc telegram terraform timezone
        twilio typetalk udm_user ufw uptimerobot urpmi vdo wakeonlan xattr xbps xenserver_facts xfconf xfs_quota xml
        yarn zfs zfs_facts znode zpool_facts zypper zypper_repository
    """,
    "community.crypto": """
        acme_account acme_certificate acme_certificate_revoke certificate_complete_chain get_certificate luks_device
        openssh_cert openssh_keypair openssl_certificate openssl_csr openssl_csr_info openssl_dhparam openssl_pkcs12
        openssl_privatekey openssl_privatekey_info openssl_publickey x509_certificate x509_certificate_info x509_crl
    """,
    "community.docker": """
        docker_compose docker_config docker_container docker_container_info docker_host_info docker_image
        docker_image_info docker_login docker_network docker_network_info docker_node docker_node_info docker_prune
        docker_secret docker_stack docker_swarm docker_swarm_info docker_swarm_service docker_volume
        docker_volume_info
    """,
    "community.mysql": "mysql_db mysql_info mysql_query mysql_replication mysql_user mysql_variables",
    "community.postgresql": """
        postgresql_copy postgresql_db postgresql_ext postgresql_idx postgresql_info postgresql_lang
        postgresql_membership postgresql_owner postgresql_pg_hba postgresql_ping postgresql_privs postgresql_query
        postgresql_schema postgresql_sequence postgresql_set postgresql_slot postgresql_subscription
        postgresql_table postgresql_tablespace postgresql_user
    """,
    "community.mongodb": "mongodb_parameter mongodb_replicaset mongodb_shard mongodb_user",
    "community.rabbitmq": """
        rabbitmq_binding rabbitmq_exchange rabbitmq_parameter rabbitmq_plugin rabbitmq_policy rabbitmq_queue
        rabbitmq_user rabbitmq_vhost
    """,
    "community.proxysql": """
        proxysql_backend_servers proxysql_global_variables proxysql_mysql_users proxysql_query_rules
    """,
    "community.libvirt": "virt virt_net virt_pool",
    "community.zabbix": "zabbix_action zabbix_group zabbix_host zabbix_template zabbix_user",
    "community.grafana": "grafana_dashboard grafana_datasource grafana_plugin",
    "community.proxmox": "proxmox proxmox_kvm proxmox_template",
    "community.vmware": """
        vmware_datastore_info vmware_guest vmware_guest_info vmware_guest_snapshot vmware_host_facts
    """,
    "community.aws": "cloudfront_distribution dynamodb_table ecs_cluster ecs_service ecs_taskdefinition redshift",
    "community.windows": "win_firewall win_iis_website win_lineinfile win_scheduled_task win_timezone win_unzip",
    "ansible.windows": """
        win_acl win_certificate_store win_command win_copy win_dns_client win_domain win_environment win_feature
        win_file win_find win_get_url win_group win_hostname win_optional_feature win_package win_path win_ping
        win_powershell win_reboot win_reg_stat win_regedit win_service win_share win_shell win_stat win_template
        win_updates win_user win_wait_for win_whoami
    """,
    "ansible.netcommon": "cli_command cli_config net_get net_ping net_put netconf_config netconf_get netconf_rpc",
    "amazon.aws": """
        aws_s3 cloudformation ec2_ami ec2_eip ec2_instance ec2_key ec2_vol ec2_vpc_net ec2_vpc_subnet iam_role
        iam_user lambda rds_instance route53 s3_bucket s3_object
    """,
    "kubernetes.core": "helm helm_info helm_repository k8s k8s_exec k8s_info k8s_log k8s_scale k8s_service",
    "containers.podman": "podman_container podman_image podman_network podman_pod podman_volume",
    "google.cloud": "gcp_compute_instance gcp_compute_disk gcp_compute_network gcp_storage_bucket",
    "azure.azcollection": """
        azure_rm_resourcegroup azure_rm_virtualmachine azure_rm_virtualnetwork azure_rm_storageaccount
    """,
    "chocolatey.chocolatey": "win_chocolatey win_chocolatey_config win_chocolatey_feature win_chocolatey_source",
    "cisco.ios": "ios_banner ios_command ios_config ios_facts ios_system ios_user ios_vlans",
    "cisco.nxos": "nxos_command nxos_config nxos_facts nxos_vlans",
    "junipernetworks.junos": "junos_command junos_config junos_facts junos_rpc",
    "arista.eos": "eos_command eos_config eos_facts",
    "vyos.vyos": "vyos_command vyos_config vyos_facts",
}

_FILTERS = {
    "ansible.utils": """
        cidr_merge from_xml hwaddr index_of ip4_hex ipaddr ipmath ipsubnet ipv4 ipv6 ipwrap macaddr
        network_in_network network_in_usable next_nth_usable nthhost previous_nth_usable reduce_on_network slaac
        to_paths to_xml usable_range validate
    """,
    "ansible.netcommon": "comp_type5 hash_salt parse_cli parse_cli_textfsm parse_xml type5_pw vlan_parser",
    "community.general": """
        accumulate counter crc32 dict_kv from_csv from_ini groupby_as_dict hashids_decode hashids_encode jc
        json_patch json_patch_recipe json_query keep_keys lists_difference lists_intersect lists_mergeby lists_union
        random_mac remove_keys replace_keys to_days to_hours to_ini to_milliseconds to_minutes to_months to_seconds
        to_time_unit to_weeks to_years unicode_normalize version_sort
    """,
    "community.crypto": """
        gpg_fingerprint openssl_csr_info openssl_privatekey_info openssl_publickey_info split_pem
        x509_certificate_info
    """,
    "google.cloud": "gcp_kms_decrypt gcp_kms_encrypt",
    "kubernetes.core": "k8s_config_resource_name",
}

_TESTS = {
    "ansible.utils": """
        in_any_network in_network in_one_network ip ip_address ipv4 ipv4_address ipv4_hostmask ipv4_netmask ipv6
        ipv6_address mac multicast resolvable subnet_of supernet_of
    """,
    "community.general": "a_module ansible_type fqdn_valid",
}

_LOOKUPS = {
    "amazon.aws": "aws_account_attribute aws_secret aws_service_ip_ranges aws_ssm",
    "ansible.utils": "get_path index_of to_paths validate",
    "community.general": """
        bitwarden cartesian chef_databag collection_version consul_kv credstash cyberarkpassword dependent dig
        dnstxt etcd etcd3 filetree flattened github_app_access_token hiera keyring lastpass lmdb_kv merge_variables
        onepassword onepassword_raw passwordstore random_pet random_string random_words redis shelvefile tss
    """,
    "community.hashi_vault": "hashi_vault vault_read vault_kv2_get vault_login vault_write",
    "community.mongodb": "mongodb",
    "community.sops": "sops",
    "infoblox.nios_modules": "nios_lookup nios_next_ip nios_next_network",
    "kubernetes.core": "k8s kustomize",
    "netbox.netbox": "nb_lookup",
}

_INVENTORY = {
    "amazon.aws": "aws_ec2 aws_rds",
    "azure.azcollection": "azure_rm",
    "community.docker": "docker_containers docker_machine docker_swarm",
    "community.general": "cobbler gitlab_runners icinga2 linode lxd nmap online opennebula scaleway virtualbox",
    "community.hrobot": "robot",
    "community.libvirt": "libvirt",
    "community.proxmox": "proxmox",
    "community.vmware": "vmware_vm_inventory",
    "google.cloud": "gcp_compute",
    "hetzner.hcloud": "hcloud",
    "kubernetes.core": "k8s",
    "netbox.netbox": "nb_inventory",
    "openstack.cloud": "openstack",
    "theforeman.foreman": "foreman",
}

KINDS = {"modules": _MODULES, "filter": _FILTERS, "test": _TESTS, "lookup": _LOOKUPS, "inventory": _INVENTORY}
